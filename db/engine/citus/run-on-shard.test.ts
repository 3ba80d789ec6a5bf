import { expect, it } from 'vitest'
import { bucketStatement } from '#db/engine/engine'
import type { Db } from '#db/postgres/statements/transaction'
import { callOf, runForBucket } from './run-on-shard.ts'

const statement = bucketStatement('test', () => ({
  steps: `paid as (
    update wallets set balance = balance + :amount::numeric where wallets."userId" % 7 = :rest::integer
    returning id
  ), noted as (insert into wallet_activity (id) select id from paid)`,
  answer: 'select id from paid',
}))

it('the call of a bucket statement is a format of its tables and then of its values', () => {
  const { tables, names, text } = callOf(statement)
  expect(tables).toEqual(['wallets', 'wallet_activity'])
  expect(names).toEqual(['amount', 'rest'])
  expect(text.replace(/\s+/g, ' ')).toBe(
    'with paid as ( update %1$I set balance = balance + %3$L::numeric where %1$I."userId" %% 7 = ' +
      '%4$L::integer returning id ), noted as (insert into %2$I (id) select id from paid) ' +
      'select to_json(answer) as answer from (select id from paid) answer',
  )
})

it('a bucket statement is refused without one of its values', async () => {
  const unused: Db = Object.create(null)
  await expect(runForBucket(unused, 1, statement, { amount: 1 })).rejects.toThrow(
    'no value for rest',
  )
})
