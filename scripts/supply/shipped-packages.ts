import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { runtimePackages } from '#scripts/build/bundle/runtime-packages'
import { importsOf, isProduct, sourceFiles } from '#scripts/testing/import-graph'
import type { LockedPackages, Manifest } from './lock.ts'

/** Packages that the client imports: development dependencies, because Vite bundles them. */
export function clientPackages({ devDependencies }: Manifest, root: string = ROOT): string[] {
  const files = sourceFiles(root).filter((file) => file.startsWith('client/') && isProduct(file))
  const imported = new Set(
    files.flatMap((file) => importsOf(fs.readFileSync(path.join(root, file), 'utf8'))),
  )
  const isImported = (name: string) =>
    [...imported].some((specifier) => specifier === name || specifier.startsWith(`${name}/`))
  return Object.keys(devDependencies).filter(isImported)
}

/** Folders of the packages whose code reaches an installation or a browser. */
export function shippedPackages(packages: LockedPackages, manifest: Manifest): string[] {
  const roots = [...Object.keys(manifest.dependencies), ...clientPackages(manifest)]
  return runtimePackages(packages, roots)
}
