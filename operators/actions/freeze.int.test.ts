import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { deleteMember } from '#db/members/deletion'
import { executeOnce, lockMember } from '#db/members/execute-once'
import { claimRewards, startMining } from '#db/mining/mining'
import { releaseSession } from '#db/mining/quarantine'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { MINUTE_MS } from '#rules/constants'
import { advance, freeze as stopClock } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { creditRanges } from '#scripts/testing/db/history'
import { insertMember } from '#scripts/testing/db/members'
import { waitingForRows } from '#scripts/testing/db/statements/waiting-for-rows'
import { freezeMember, unfreezeMember } from './member-changes.ts'

const IN_THIS_DATABASE = 'datname = current_database()'
let fresh: FreshDatabase
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  await stopClock(fresh.db)
})
afterAll(() => fresh.close())
beforeEach(async () => {
  memberId = await insertMember(fresh.db)
})

const freeze = (id = memberId) => inTransaction(fresh.db, (tx) => freezeMember(tx, id, 'a check'))
const unfreeze = () => inTransaction(fresh.db, (tx) => unfreezeMember(tx, memberId, 'checked'))
const start = () => inTransaction(fresh.db, (tx) => startMining(tx, memberId))
const session = () =>
  fresh.db('mining_sessions').where({ userId: memberId }).orderBy('id', 'desc').first()
const balances = async () => {
  const wallet = await fresh.db('wallets').where({ userId: memberId }).first()
  const stats = await fresh.db('mining_stats').where({ userId: memberId }).first()
  return [wallet.balance, stats.pendingRewards]
}
const problems = async () => (await audit(fresh.db)).problems

describe('freezeMember', () => {
  it('a freeze credits the due intervals, makes the rest pending and ends the session', async () => {
    await start()
    await advance(fresh.db, 50 * MINUTE_MS)
    expect(await freeze()).toBe('stopped')
    expect(await session()).toMatchObject({ active: false, status: 'stopped' })
    expect(await balances()).toEqual(['0.06666666', '0.01666667'])
    await advance(fresh.db, 50 * MINUTE_MS)
    expect(await creditRanges(fresh.db)).toEqual([])
    expect(await problems()).toEqual([])
  })

  it.runIf(isOneServer())('a freeze locks the user before the session', async () => {
    await start()
    const join = await fresh.db.transaction()
    await join('users').where({ id: memberId }).forUpdate().first('id')
    const frozen = freeze()
    await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
    const sessions = join('mining_sessions').where({ userId: memberId }).forUpdate().skipLocked()
    expect(await sessions).toHaveLength(1)
    await join.commit()
    expect(await frozen).toBe('stopped')
  })

  it('after the freeze the member claims what was pending and mines again', async () => {
    await start()
    await advance(fresh.db, 50 * MINUTE_MS)
    await freeze()
    await unfreeze()
    await inTransaction(fresh.db, (tx) => claimRewards(tx, memberId))
    expect(await balances()).toEqual(['0.08333333', '0.00000000'])
    await start()
    expect(await problems()).toEqual([])
  })

  it('a command of a sign-in from before the freeze is refused', async () => {
    await freeze()
    const request = { signIn: { memberId, epoch: 0 }, route: 'POST /', key: undefined }
    const late = inTransaction(fresh.db, (tx) =>
      executeOnce(tx, request, () => startMining(tx, memberId)),
    )
    await expect(late).rejects.toMatchObject({ code: 'not_signed_in' })
    expect(await session()).toBeUndefined()
  })

  it('a freeze waits for a command that runs, and stops the session that it started', async () => {
    const command = await fresh.db.transaction()
    await lockMember(command, memberId)
    await startMining(command, memberId)
    const freezing = freeze()
    const waiting = () =>
      fresh.db('pg_stat_activity').where({ wait_event_type: 'Lock' }).whereRaw(IN_THIS_DATABASE)
    await expect.poll(async () => (await waiting()).length).toBe(1)
    await command.commit()
    expect(await freezing).toBe('stopped')
    expect(await problems()).toEqual([])
  })

  it('a freeze of a frozen or deleted member is rejected', async () => {
    expect(await freeze()).toBe('none')
    await expect(freeze()).rejects.toThrow('frozen already')
    await unfreeze()
    await expect(unfreeze()).rejects.toThrow('not frozen')
    const { authEpoch: epoch } = await fresh.db('users').where({ id: memberId }).first()
    await inTransaction(fresh.db, (tx) => deleteMember(tx, fresh.dataKey, { memberId, epoch }))
    await expect(freeze()).rejects.toThrow('no such member')
  })

  it('a quarantined session of a frozen member is credited and stopped on its release', async () => {
    await start()
    const { id } = await session()
    await fresh
      .db('mining_sessions')
      .where({ id })
      .update({ quarantinedAt: fresh.db.fn.now(), quarantineReason: '23514: test' })
    expect(await freeze()).toBe('quarantined')
    expect(await problems()).toEqual([])
    await advance(fresh.db, 25 * MINUTE_MS)
    await inTransaction(fresh.db, async (tx) => releaseSession(tx, id, await productNow(tx)))
    expect(await session()).toMatchObject({ active: false, status: 'stopped' })
    expect(await balances()).toEqual(['0.03333333', '0.00833333'])
    expect(await problems()).toEqual([])
  })

  it('the database refuses a freeze without a reason, and one of a deleted member', async () => {
    const row = fresh.db('users').where({ id: memberId })
    const frozenAt = fresh.db.fn.now()
    await expect(row.clone().update({ frozenAt })).rejects.toThrow('users_freeze_has_reason')
    await inTransaction(fresh.db, (tx) => deleteMember(tx, fresh.dataKey, { memberId, epoch: 0 }))
    const freezing = { frozenAt, frozenReason: 'a check' }
    await expect(row.clone().update(freezing)).rejects.toThrow('users_deleted_is_not_frozen')
  })
})
