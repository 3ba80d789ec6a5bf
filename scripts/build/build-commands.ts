import { bundleForNode } from './build-roles.ts'

/** Folder of the bundled operators' commands. */
export const COMMANDS_DIR = 'dist/commands'

/** Bundles `audit`, `migrate`, `ops` and `console` for the image. */
export const buildCommands = () => bundleForNode('commands', COMMANDS_DIR, ['operators'])
