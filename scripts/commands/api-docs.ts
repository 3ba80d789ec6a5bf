import fs from 'node:fs'
import path from 'node:path'
import { GENERATED } from '#scripts/docs/generated'
import { ROOT } from '#scripts/process/root'

for (const [file, text] of Object.entries(GENERATED)) {
  fs.writeFileSync(path.join(ROOT, file), text())
  console.log(`written: ${file}`)
}
