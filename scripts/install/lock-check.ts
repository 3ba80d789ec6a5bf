type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>> & {
  allowScripts: Record<string, boolean>
}
type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
}
type Platform = { optional?: boolean; os?: string[]; cpu?: string[] }
type Lock = { packages: Record<string, Locked & Platform> }

/**
 * Problems with how dependencies are pinned. Not lockfile-lint: it compares download URLs with
 * allowed hosts, while this lock must hold none, and it reads neither pins nor `allowScripts`.
 */
export function lockProblems(manifest: Manifest, { packages }: Lock): string[] {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  const problems = wanted.flatMap(([name, version]) => {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return [`${name} is not pinned: ${version}`]
    const locked = packages[`node_modules/${name}`]?.version ?? 'nothing'
    return locked === version ? [] : [`${name} is ${version} and locked at ${locked}`]
  })
  for (const [folder, locked] of Object.entries(packages).filter(([key]) => key !== '')) {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    // complete-lock.mjs cannot know the hashes of packages for other platforms.
    const isForeign = locked.optional && (locked.os || locked.cpu)
    if (!locked.integrity?.startsWith('sha512-') && !isForeign) problems.push(`${name} has no hash`)
    if (locked.resolved) problems.push(`${name} names its download URL`)
    if (locked.hasInstallScript && !isForeign && !(name in manifest.allowScripts)) {
      problems.push(`${name} has an install script: decide about it in allowScripts`)
    }
  }
  return problems
}
