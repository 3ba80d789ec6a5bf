/** Installs the locked dependencies of `root` unless they are there already; says whether it did. */
export function ensureDeps(root: string, install?: (root: string) => void): Promise<boolean>
