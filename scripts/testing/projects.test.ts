import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { testProjects } from './projects.ts'
import { testFolder } from './temp-folder.ts'

/** A repository with these files. */
function repository(files: Record<string, string>): string {
  const root = testFolder()
  fs.copyFileSync(path.join(ROOT, 'package.json'), path.join(root, 'package.json'))
  for (const [name, source] of Object.entries(files)) {
    fs.mkdirSync(path.join(root, path.dirname(name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), source)
  }
  return root
}

it('the imports of a test file decide its project', () => {
  const root = repository({
    'db/testing/database.ts': '',
    'db/testing/fresh-database.ts': "import { testDatabase } from './database.ts'",
    'db/ledger.test.ts':
      "import { it } from 'vitest'\nimport { a } from '#db/testing/fresh-database'",
    'db/types.test.ts': "import type { TestDatabase } from '#db/testing/database'",
    'db/rules/money/money.test.ts': "import { cents } from './money.ts'",
    'db/rules/money/money.ts': '',
    'client/app.test.tsx': '',
    'client/e2e/earning/tasks.e2e.ts': "import { x } from '#db/testing/database'",
    'trials/chaos/kill.test.ts': "import { x } from '#db/testing/database'",
  })
  expect(testProjects(root)).toEqual({
    unit: ['db/rules/money/money.test.ts', 'db/types.test.ts'],
    client: ['client/app.test.tsx'],
    integration: ['db/ledger.test.ts'],
    e2e: ['client/e2e/earning/tasks.e2e.ts'],
    chaos: ['trials/chaos/kill.test.ts'],
  })
})

it.each(['client/e2e/tasks.test.ts', 'gateway/tasks.e2e.ts'])('%s is rejected', (file) => {
  expect(() => testProjects(repository({ [file]: '' }))).toThrow(
    `${file} belongs to no test project`,
  )
})

it('every test file of the repository belongs to exactly one project', () => {
  const files = Object.values(testProjects(ROOT)).flat()
  expect(new Set(files).size).toBe(files.length)
  const folders = [
    'client',
    'db',
    'gateway',
    'operators',
    'runtime',
    'scripts',
    'trials',
    'workers',
  ]
  const onDisk = folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(test|spec|e2e)\.\w+$/.test(file) && !file.includes('node_modules/'))
      .map((file) => `${folder}/${file}`),
  )
  expect(files.sort()).toEqual(onDisk.sort())
})
