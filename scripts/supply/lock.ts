import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import type { LockedPackage } from '#scripts/build/bundle/runtime-packages'

/** A package as package-lock.json describes it. */
export type Locked = LockedPackage & {
  version?: string
  license?: string
  dev?: boolean
  optional?: boolean
}
/** The `packages` of package-lock.json by folder; the repository itself is ''. */
export type LockedPackages = Record<string, Locked>
export type Manifest = { name: string } & Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>

const readJson = (file: string) => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'))

export const readLock = (): LockedPackages => readJson('package-lock.json').packages

export const readManifest = (): Manifest => readJson('package.json')

/** The name of the package in a folder of `node_modules`. */
export const nameOf = (folder: string) =>
  folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
