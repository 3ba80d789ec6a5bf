import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { IMAGE_PACKAGES, runtimePackages } from './runtime-packages.ts'

// For an image without an installation: `node --import tsx scripts/build/bundle/copy-packages.ts <folder>`.

const [target = 'dist/packages'] = process.argv.slice(2)
const { packages } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))

/** Declarations, source maps and the second build of BullMQ are not needed. */
const isNeeded = (file: string) => !/\.(d\.[cm]?ts|map)$|\/bullmq\/dist\/esm$/.test(file)

for (const folder of runtimePackages(packages, IMAGE_PACKAGES)) {
  // Packages of other platforms are locked and not installed.
  if (!fs.existsSync(path.join(ROOT, folder))) continue
  fs.cpSync(path.join(ROOT, folder), path.join(target, folder), {
    recursive: true,
    filter: (file) => isNeeded(file) && path.basename(file) !== 'node_modules',
  })
}
