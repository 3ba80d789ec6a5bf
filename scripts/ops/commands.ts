import { correctBalance, endSignIns, freezeCode, setFlag, setFlagFor } from '#db/operations'
import { inTransaction } from '#db/postgres/transaction'
import { RuleError } from '#rules/rule-error'
import { needed, type OpsCall } from '#scripts/ops/call'
import { kycAccept, kycList, kycReject, kycShow, listDocuments } from '#scripts/ops/kyc'
import { quarantineList, quarantineRelease } from '#scripts/ops/quarantine'
import { retentionRun, retentionStatus } from '#scripts/ops/retention'
import { showStatus } from '#scripts/ops/status'
import { versionSet } from '#scripts/ops/version'

/** One command of an operator; its key in `OPS` names it. */
export type Ops = {
  /** Arguments and options, as the usage text shows them after the name. */
  takes?: string
  does: string
  run(call: OpsCall): Promise<void>
}

const token = (text: string | undefined): 'TESP' | 'USDT' => {
  if (text === 'TESP' || text === 'USDT') return text
  throw new RuleError('bad_input', 'The token must be TESP or USDT')
}

/** All commands, by the words that name them. */
export const OPS: Record<string, Ops> = {
  status: {
    does: 'credit lag, mails, queues',
    run: showStatus,
  },
  documents: {
    does: 'the newest documents and their state',
    run: listDocuments,
  },
  'kyc list': {
    does: 'documents that wait for a decision',
    run: kycList,
  },
  'kyc show': {
    takes: '<id> --out <file>',
    does: 'writes a document to a file',
    run: kycShow,
  },
  'kyc accept': {
    takes: '<id>',
    does: 'the member is verified, and gets a mail',
    run: kycAccept,
  },
  'kyc reject': {
    takes: '<id> --reason <text>',
    does: 'back to unverified; the member sees the reason, and gets it by mail',
    run: kycReject,
  },
  'quarantine list': {
    does: 'sessions that sweeps skip, and why',
    run: quarantineList,
  },
  'quarantine release': {
    takes: '<session>',
    does: 'credits a repaired session what it missed; it is swept again',
    run: quarantineRelease,
  },
  'retention status': {
    does: 'how far old days of the ledger are rolled up, and their size before and after',
    run: retentionStatus,
  },
  'retention run': {
    does: 'rolls up all credits older than LEDGER_DETAIL_DAYS now',
    run: retentionRun,
  },
  'code freeze': {
    takes: '<code> --reason <text>',
    does: 'the code takes no new members; its owner sees why',
    run: async ({ db, args: [code], options }) => {
      const reason = needed(options.reason, '--reason')
      await inTransaction(db, (tx) => freezeCode(tx, needed(code, 'The code'), reason))
      console.log(`${code} is frozen`)
    },
  },
  'code thaw': {
    takes: '<code>',
    does: 'the code takes new members again',
    run: async ({ db, args: [code] }) => {
      await inTransaction(db, (tx) => freezeCode(tx, needed(code, 'The code'), null))
      console.log(`${code} takes new members again`)
    },
  },
  'balance correct': {
    takes: '<member> <TESP|USDT> <amount> --reason <text>',
    does: 'posts a compensating ledger row',
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
    takes: '<member|@everybody>',
    does: 'ends every sign-in; sockets close within 15 s',
    run: async ({ db, args: [member] }) => {
      const ended = await inTransaction(db, (tx) => endSignIns(tx, needed(member, 'The member')))
      console.log(`${ended} signed out`)
    },
  },
  'flag list': {
    does: 'all feature flags',
    run: async ({ db }) => {
      const columns = ['name', 'enabled', 'enabledForUsers', 'requiredVersion']
      console.table(await db('feature_flags').orderBy('name').select(columns))
    },
  },
  'flag on': {
    takes: '<name>',
    does: 'on for everybody',
    run: async ({ db, args: [name] }) => {
      await inTransaction(db, (tx) => setFlag(tx, needed(name, 'The flag'), true))
      console.log(`${name} is on`)
    },
  },
  'flag off': {
    takes: '<name>',
    does: 'off, except for the members named by "flag for"',
    run: async ({ db, args: [name] }) => {
      await inTransaction(db, (tx) => setFlag(tx, needed(name, 'The flag'), false))
      console.log(`${name} is off`)
    },
  },
  'flag for': {
    takes: '<name> [member …]',
    does: 'on for these members only',
    run: async ({ db, args: [name, ...members] }) => {
      await inTransaction(db, (tx) => setFlagFor(tx, needed(name, 'The flag'), members))
      console.log(`${name} is on for ${members.join(', ') || 'no member'}`)
    },
  },
  'version set': {
    takes: '<version> [--min <version>]',
    does: 'clients older than --min are asked to reload; without --min the last minimum stays',
    run: versionSet,
  },
}
