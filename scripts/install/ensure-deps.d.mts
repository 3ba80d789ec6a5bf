/** Installs the locked dependencies of `root` if they are missing. Returns whether it did. */
export function ensureDeps(
  root: string,
  install?: (root: string) => void | Promise<void>,
): Promise<boolean>

/** Arguments of npm, which gets a cache in `root` if it cannot write its own. */
export function npmArguments(root: string, args: string[], env?: NodeJS.ProcessEnv): string[]
