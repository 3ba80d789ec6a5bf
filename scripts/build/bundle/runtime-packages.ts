/** Loaded from `node_modules` at run time: a native package, and one that serves its own files (Bull Board). */
export const EXTERNAL_PACKAGES = ['@node-rs/argon2', '@bull-board/api', '@bull-board/ui']

/** Bull Board loads `bullmq` itself, an optional peer of it that the bundles contain. */
export const IMAGE_PACKAGES = [...EXTERNAL_PACKAGES, 'bullmq']

type Names = Record<string, unknown>

type LockedPackage = {
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

/** What a package needs at run time; required peers count. */
function needsOf(locked: LockedPackage): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional,
  )
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/** Folders of `roots` and all that they need, even optional packages of other platforms. */
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
