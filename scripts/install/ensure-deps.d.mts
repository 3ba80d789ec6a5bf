/** Installs the locked dependencies of `root` if they are missing. Returns whether it did. */
export function ensureDeps(root: string, install?: (root: string) => void): Promise<boolean>
