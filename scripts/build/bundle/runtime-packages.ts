/**
 * Packages that bundles for Node load from `node_modules` at run time: a native one, and one that
 * serves its own files (`@bull-board/ui`, found by `@bull-board/api`).
 */
export const EXTERNAL_PACKAGES = ['@node-rs/argon2', '@bull-board/api', '@bull-board/ui']

/**
 * Packages that an image needs besides the bundles: Bull Board loads `bullmq` itself, an optional peer of it
 * that the bundles contain.
 */
export const IMAGE_PACKAGES = [...EXTERNAL_PACKAGES, 'bullmq']

type Names = Record<string, unknown>

/** What package-lock.json says about an installed package. */
export type LockedPackage = {
  dependencies?: Names
  optionalDependencies?: Names
  peerDependencies?: Names
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

type LockedPackages = Record<string, LockedPackage>

/** The folder of `name` as Node finds it for `dependent`: from its own folder outwards. */
function folderOf(packages: LockedPackages, dependent: string, name: string): string | undefined {
  let folder = dependent
  for (;;) {
    const found = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`
    if (packages[found]) return found
    if (!folder) return undefined
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  }
}

/** Names that a package needs when it runs; of a required peer too. */
function needsOf(locked: LockedPackage): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional,
  )
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/**
 * Folders of the packages that `roots` need at run time, themselves included, from the `packages` of
 * package-lock.json. Optional packages of other platforms are among them.
 */
export function runtimePackages(packages: LockedPackages, roots: string[]): string[] {
  const found = new Set<string>()
  const visit = (dependent: string, name: string) => {
    const folder = folderOf(packages, dependent, name)
    if (!folder || found.has(folder)) return
    found.add(folder)
    for (const needed of needsOf(packages[folder] ?? {})) visit(folder, needed)
  }
  for (const name of roots) visit('', name)
  return [...found].sort()
}
