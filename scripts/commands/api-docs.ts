import fs from 'node:fs'
import path from 'node:path'
import { GENERATED } from '#scripts/docs/generated'
import { readArguments } from '#scripts/process/read-arguments'
import { ROOT } from '#scripts/process/root'

readArguments('npm run api-docs', {})
for (const [file, text] of Object.entries(GENERATED)) {
  fs.writeFileSync(path.join(ROOT, file), text())
  console.log(`written: ${file}`)
}
