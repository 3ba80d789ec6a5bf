/**
 * Packages that bundles for Node load from `node_modules` at run time: a native one, and one that
 * serves files of its own (`@bull-board/ui`, found by `@bull-board/api`).
 */
export const EXTERNAL_PACKAGES = ['@node-rs/argon2', '@bull-board/api', '@bull-board/ui']
