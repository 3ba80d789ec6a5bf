import { expect, it } from 'vitest'
import { POST } from '#db/ledger/ledger'
import { STOP_SQL } from '#db/mining/session-sql'
import { textOf } from './bucket-statements.ts'
import { SNAPSHOT_SQL, START_SQL } from './member-statements.ts'
import { SWEEP_SQL } from './sweep.ts'

/** The statements that run most, as PostgreSQL gets them, apart from the numbers of their values. */
const HOT = {
  sweep: SWEEP_SQL,
  post: textOf(POST.TESP),
  snapshot: SNAPSHOT_SQL,
  start: START_SQL,
  stop: STOP_SQL,
}

/** Without empty lines, and without the indentation that all lines after the first share. */
function readable(sql: string): string {
  const lines = sql.split('\n').filter((line) => line.trim() !== '')
  const indents = lines.slice(1).map((line) => line.search(/\S/))
  const margin = new RegExp(`^ {0,${Math.min(...indents)}}`)
  const text = lines.map((line) => line.replace(margin, '')).join('\n')
  return `-- Written by hot-statements.test.ts (-u) to be read; the product does not read it.\n${text}\n`
}

it.each(Object.entries(HOT))('%s.sql shows the statement that runs', async (name, sql) => {
  await expect(readable(sql)).toMatchFileSnapshot(`./statements/${name}.sql`)
})
