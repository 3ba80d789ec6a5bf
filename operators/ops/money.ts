import { rollupStatus } from '#db/ledger/retention/ledger-partition'
import { readSeals } from '#db/ledger/seals/seal-chain'
import { lockMember } from '#db/members/execute-once'
import { stopMining } from '#db/mining/mining'
import { listQuarantined, releaseSession } from '#db/mining/quarantine'
import { productNow } from '#db/postgres/connection/product-clock'
import { checkAmount, correctBalance } from '#operators/actions/member-changes'
import { idOfMember, ledgerOf, memberNamed, sessionsOf } from '#operators/actions/members'
import { RuleError } from '#rules/rule-error'
import { type ActCommand, argument, type ListCommand, limitOf, wholeNumber } from './command.ts'
import { publishChange } from './redis.ts'

export const ledgerShow: ListCommand = {
  takes: '<member>',
  options: ['[--limit <n>]'],
  does: 'the newest ledger rows of a member, 50 without --limit',
  list: async (call) => {
    const memberId = await idOfMember(call.db, argument(call))
    return ledgerOf(call.db, memberId, limitOf(call, 50))
  },
}

function tokenOf(text: string | undefined): 'TESP' | 'USDT' {
  if (text === 'TESP' || text === 'USDT') return text
  throw new RuleError('bad_input', 'The token must be TESP or USDT')
}

export const ledgerCorrect: ActCommand = {
  takes: '<member> <TESP|USDT> <amount>',
  does: 'posts a compensating ledger row, which shows the reason to the member',
  act: async (call, reason) => {
    const [name = '', kind, amount = ''] = call.args
    const { id, username } = await memberNamed(call.db, name)
    const token = tokenOf(kind)
    checkAmount(amount)
    return {
      asks: `Post ${amount} ${token} for member ${id} (${username})?`,
      run: async (tx) => {
        const correction = { member: `id:${id}`, token, amount, reason }
        const { ledgerRow } = await correctBalance(tx, correction)
        return {
          says: `${amount} ${token} posted for member ${id} as ${ledgerRow}`,
          memberId: id,
          details: { token, amount, ledgerRow },
          after: () =>
            publishChange(call, { kind: 'members', memberIds: [id], topics: ['wallet', 'inbox'] }),
        }
      },
    }
  },
}

export const sessionsShow: ListCommand = {
  takes: '<member>',
  options: ['[--limit <n>]'],
  does: 'the newest mining sessions of a member, 20 without --limit',
  list: async (call) => {
    const memberId = await idOfMember(call.db, argument(call))
    return sessionsOf(call.db, memberId, limitOf(call, 20))
  },
}

export const sessionsEnd: ActCommand = {
  takes: '<member>',
  does: 'stops the running mining session as the member could; the rest becomes pending',
  act: async (call) => {
    const { id, username } = await memberNamed(call.db, argument(call))
    return {
      asks: `Stop the mining session of member ${id} (${username})?`,
      run: async (tx) => {
        await lockMember(tx, id)
        await stopMining(tx, id)
        return {
          says: `the mining session of member ${id} is stopped`,
          memberId: id,
          after: () =>
            publishChange(call, {
              kind: 'members',
              memberIds: [id],
              topics: ['mining', 'wallet'],
            }),
        }
      },
    }
  },
}

export const quarantineList: ListCommand = {
  does: 'sessions that sweeps skip, with the reason that Postgres gave',
  list: ({ db }) => listQuarantined(db),
}

export const quarantineRelease: ActCommand = {
  takes: '<session>',
  does: 'credits a repaired session what it missed; it is swept again',
  act: async (call) => {
    const sessionId = wholeNumber(argument(call), 'The session')
    return {
      asks: `Release session ${sessionId}?`,
      run: async (tx) => {
        const memberId = await releaseSession(tx, sessionId, await productNow(tx))
        return {
          says: `session ${sessionId} is released and credited up to now`,
          memberId,
          details: { session: sessionId },
          after: () =>
            publishChange(call, {
              kind: 'members',
              memberIds: [memberId],
              topics: ['mining', 'wallet'],
            }),
        }
      },
    }
  },
}

export const retentionStatus: ListCommand = {
  does: 'how far old days of the ledger are rolled up, and their size before and after',
  list: ({ db }) => rollupStatus(db),
}

export const sealsList: ListCommand = {
  takes: '[after]',
  does: 'the seals of the ledger behind a number, 1,000 at most; with --json as a mirror keeps them',
  list: ({ db, args: [after] }) => readSeals(db, after ? wholeNumber(after, '[after]') : 0),
}
