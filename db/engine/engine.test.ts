import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { importGraph, isProduct } from '#scripts/testing/import-graph'
import { engineOf } from './engine.ts'

const CITUS = 'db/engine/citus/'

it('only one line of connect.ts imports what is about Citus', () => {
  const importers = [...importGraph(ROOT)].flatMap(([file, imports]) =>
    isProduct(file) && !file.startsWith(CITUS)
      ? imports.filter((target) => target.startsWith(CITUS)).map((target) => `${file} > ${target}`)
      : [],
  )
  expect(importers).toEqual(['db/engine/connect.ts > db/engine/citus/citus-engine.ts'])
})

it('a pool that was not opened by connect has no engine', async () => {
  const pool = Object.assign(Object.create(null), { client: { config: {} } })
  await expect(engineOf(pool)).rejects.toThrow('a pool without engine')
})
