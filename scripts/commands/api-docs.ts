import fs from 'node:fs'
import path from 'node:path'
import { readArguments } from '#runtime/process/read-arguments'
import { ROOT } from '#runtime/process/root'
import { GENERATED } from '#scripts/docs/generated'

readArguments('npm run api-docs', {})
for (const [file, text] of Object.entries(GENERATED)) {
  fs.writeFileSync(path.join(ROOT, file), text())
  console.log(`written: ${file}`)
}
