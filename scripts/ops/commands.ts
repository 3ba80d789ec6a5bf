import {
  correctBalance,
  endSignIns,
  freezeCode,
  setFlag,
  setFlagFor,
  setVersion,
} from '#db/operations'
import { inTransaction } from '#db/postgres/transaction'
import { RuleError } from '#rules/rule-error'
import { needed, type OpsCall } from '#scripts/ops/call'
import { kycAccept, kycList, kycReject, kycShow, listDocuments } from '#scripts/ops/kyc'
import { showStatus } from '#scripts/ops/status'

/** One command: how it is written, what it does, and how many words name it. */
export type Ops = {
  usage: string
  does: string
  words: number
  run(call: OpsCall): Promise<void>
}

const token = (text: string | undefined): 'TESP' | 'USDT' => {
  if (text === 'TESP' || text === 'USDT') return text
  throw new RuleError('bad_input', 'The token must be TESP or USDT')
}

/** Every operator's command, by the words that name it. */
export const OPS: Record<string, Ops> = {
  status: {
    ...{ usage: 'status', does: 'credit lag, mails, queues', words: 1 },
    run: showStatus,
  },
  documents: {
    ...{ usage: 'documents', does: 'the newest documents and what became of them', words: 1 },
    run: listDocuments,
  },
  'kyc list': {
    ...{ usage: 'kyc list', does: 'documents that wait for a decision', words: 2 },
    run: kycList,
  },
  'kyc show': {
    ...{ usage: 'kyc show <id> --out <file>', does: 'writes a document to a file', words: 2 },
    run: kycShow,
  },
  'kyc accept': {
    ...{ usage: 'kyc accept <id>', does: 'the member is verified', words: 2 },
    run: kycAccept,
  },
  'kyc reject': {
    ...{ usage: 'kyc reject <id> --reason <text>', does: 'back to unverified', words: 2 },
    run: kycReject,
  },
  'code freeze': {
    usage: 'code freeze <code> --reason <text>',
    does: 'the code takes no new members; its owner sees why',
    words: 2,
    run: async ({ db, args: [code], options }) => {
      const reason = needed(options.reason, '--reason')
      await inTransaction(db, (tx) => freezeCode(tx, needed(code, 'The code'), reason))
      console.log(`${code} is frozen`)
    },
  },
  'code thaw': {
    usage: 'code thaw <code>',
    does: 'the code takes new members again',
    words: 2,
    run: async ({ db, args: [code] }) => {
      await inTransaction(db, (tx) => freezeCode(tx, needed(code, 'The code'), null))
      console.log(`${code} takes new members again`)
    },
  },
  'balance correct': {
    usage: 'balance correct <member> <TESP|USDT> <amount> --reason <text>',
    does: 'posts a compensating ledger row',
    words: 2,
    run: async ({ db, args: [member, kind, amount], options }) => {
      const correction = {
        member: needed(member, 'The member'),
        token: token(kind),
        amount: needed(amount, 'The amount'),
        reason: needed(options.reason, '--reason'),
      }
      await inTransaction(db, (tx) => correctBalance(tx, correction))
      console.log(`${correction.amount} ${correction.token} posted for ${correction.member}`)
    },
  },
  'sign-out': {
    usage: 'sign-out <member|@everybody>',
    does: 'ends every sign-in; sockets close within 15 s',
    words: 1,
    run: async ({ db, args: [member] }) => {
      const ended = await inTransaction(db, (tx) => endSignIns(tx, needed(member, 'The member')))
      console.log(`${ended} signed out`)
    },
  },
  'flag list': {
    usage: 'flag list',
    does: 'all feature flags',
    words: 2,
    run: async ({ db }) => {
      const columns = ['name', 'enabled', 'enabledForUsers', 'requiredVersion']
      console.table(await db('feature_flags').orderBy('name').select(columns))
    },
  },
  'flag on': {
    usage: 'flag on <name>',
    does: 'on for everybody',
    words: 2,
    run: async ({ db, args: [name] }) => {
      await inTransaction(db, (tx) => setFlag(tx, needed(name, 'The flag'), true))
      console.log(`${name} is on`)
    },
  },
  'flag off': {
    usage: 'flag off <name>',
    does: 'off, but for members named by "flag for"',
    words: 2,
    run: async ({ db, args: [name] }) => {
      await inTransaction(db, (tx) => setFlag(tx, needed(name, 'The flag'), false))
      console.log(`${name} is off`)
    },
  },
  'flag for': {
    usage: 'flag for <name> [member …]',
    does: 'on for these members alone',
    words: 2,
    run: async ({ db, args: [name, ...members] }) => {
      await inTransaction(db, (tx) => setFlagFor(tx, needed(name, 'The flag'), members))
      console.log(`${name} is on for ${members.join(', ') || 'nobody in particular'}`)
    },
  },
  'version set': {
    usage: 'version set <version> [--min <version>]',
    does: 'older clients than --min are asked to reload',
    words: 2,
    run: async ({ db, args: [version], options }) => {
      const release = needed(version, 'The version')
      await inTransaction(db, (tx) => setVersion(tx, release, options.min ?? null))
      console.log(`${release} is recorded; clients need ${options.min ?? 'any version'}`)
    },
  },
}
