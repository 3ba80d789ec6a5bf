import { type DocumentRow, documentState, newestDocuments } from '#db/members/kyc'
import { isUnavailable } from '#gateway/http/errors'
import { listActions } from '#operators/actions/action-log'
import {
  ledgerPage,
  type MailLine,
  mailsOf,
  memberSignIns,
  type TeamLine,
  teamOf,
} from '#operators/actions/member-records'
import {
  idOfMember,
  type MemberFacts,
  memberFacts,
  type SessionLine,
  sessionsOf,
} from '#operators/actions/members'
import { type Note, notesOf } from '#operators/actions/notes'
import { type Html, html, type Value } from '#operators/console/html'
import type { Linked, PageRequest } from '#operators/console/page'
import {
  actionLink,
  type Column,
  cell,
  FROZEN,
  facts,
  memberLink,
  section,
  table,
  time,
} from '#operators/console/parts'
import { mayOpen } from '#operators/console/roles'
import { withRedis } from '#operators/ops/redis'
import { LOG_COLUMNS } from './log.ts'
import { LEDGER_COLUMNS } from './members.ts'

const ROWS = 10

const ACCOUNT: Record<string, string> = {
  id: 'Id',
  username: 'User name',
  email: 'E-mail',
  fullName: 'Name',
  phone: 'Phone',
  signedUpAt: 'Signed up (UTC)',
  deletedAt: 'Deleted (UTC)',
  identityStatus: 'Identity',
  passkeys: 'Passkeys',
  oneTimeCodesSince: 'One-time codes since',
  recoveryCodesLeft: 'Recovery codes left',
}
const WALLET: Record<string, string> = {
  tesp: 'TESP',
  usdt: 'USDT',
  pendingTesp: 'Pending TESP',
  pendingUsdt: 'Pending USDT',
  totalMined: 'Mined in all',
  lastClaimAt: 'Last claim (UTC)',
}
const MINING: Record<string, string> = {
  runningSession: 'Running session',
  runningSince: 'Since (UTC)',
  creditedIntervals: 'Credited intervals',
  quarantineReason: 'Quarantine',
}
const TEAM: Record<string, string> = {
  referralCode: 'Code',
  codeFrozenReason: 'Code frozen',
  teamSize: 'Members',
  teamLevel: 'Level',
  miningBoost: 'Boost',
}

const factsOf = (member: MemberFacts, names: Record<string, string>): Html =>
  facts(Object.entries(names).map(([key, name]) => [name, cell(member[key])]))

const SESSION_COLUMNS: Column<SessionLine>[] = [
  ['Started (UTC)', ({ startedAt }) => time(startedAt)],
  ['Ended (UTC)', ({ endedAt }) => time(endedAt)],
  ['Status', ({ status, quarantineReason }) => quarantineReason ?? status],
  ['Rate', ({ rate }) => rate, 'figure'],
  ['Credits', ({ creditedIntervals }) => String(creditedIntervals), 'figure'],
  ['TESP', ({ reward }) => reward, 'figure'],
]

const TEAM_COLUMNS: Column<TeamLine>[] = [
  ['Member', ({ id, username }) => memberLink(id, username)],
  ['Joined (UTC)', ({ joinedAt }) => time(joinedAt)],
  ['State', ({ frozenAt }) => frozenAt && FROZEN],
]

const mailColumns = (request: PageRequest): Column<MailLine>[] => [
  ['Subject', ({ subject }) => subject],
  ['Written (UTC)', ({ createdAt }) => time(createdAt)],
  ['Sent (UTC)', ({ sentAt }) => time(sentAt)],
  [
    'State',
    ({ id, sentAt, failedAt, lastError }) => {
      if (failedAt) return html`<span class="tag bad">failed</span> ${lastError} (mail ${id})`
      return sentAt ? html`<span class="tag good">sent</span>` : `waits ${lastError ?? ''}`
    },
  ],
  [
    'Actions',
    ({ id, failedAt }) => failedAt && actionLink(request, 'mail retry', 'Send again…', id),
  ],
]

type SignInLine = Awaited<ReturnType<typeof memberSignIns>>[number]
const SIGN_IN_COLUMNS: Column<SignInLine>[] = [
  ['Device', ({ device }) => device],
  ['Network', ({ network }) => network],
  ['Signed in (UTC)', ({ signedInAt }) => time(new Date(signedInAt))],
  ['Seen (UTC)', ({ at }) => time(new Date(at))],
]

const NOTES = 50

const noteColumns = (request: PageRequest): Column<Note>[] => [
  ['Time (UTC)', ({ at }) => time(at)],
  ['By', ({ author }) => author],
  ['Note', ({ note }) => html`<span class="text">${note}</span>`],
  ['Actions', ({ id }) => actionLink(request, 'notes delete', 'Delete…', id)],
]

function codeActions(request: PageRequest, { referralCode, codeFrozenReason }: MemberFacts): Value {
  if (!referralCode) return undefined
  return codeFrozenReason
    ? actionLink(request, 'codes unfreeze', 'Release the code…', referralCode)
    : actionLink(request, 'codes freeze', 'Freeze the code…', referralCode)
}

/** A quarantined session can only be released, and another one only be ended. */
function sessionAction(request: PageRequest, member: MemberFacts): Value {
  const { id, runningSession, quarantineReason } = member
  if (member.deletedAt || runningSession === null) return undefined
  return quarantineReason === null
    ? actionLink(request, 'sessions end', 'End the session…', `id:${id}`)
    : actionLink(request, 'quarantine release', 'Release the session…', runningSession)
}

function mailSection(request: PageRequest, member: MemberFacts, mails: MailLine[]): Value {
  const { email, mailRefused } = member
  const refused =
    mailRefused !== null && html`<p class="notice">Mail refused: ${String(mailRefused)}</p>`
  return section(
    'Mails',
    [refused, table('Newest mails', mails, mailColumns(request))],
    mailRefused !== null && actionLink(request, 'mail allow', 'Try the address again…', email),
  )
}

async function signIns(request: PageRequest, memberId: number): Promise<Value> {
  const { redisPrefix } = request.config
  try {
    const lines = await withRedis(request, (redis) =>
      memberSignIns(request.db, redis, { memberId, redisPrefix }),
    )
    if (!lines) return html`<p class="none">Unknown without REDIS_URL.</p>`
    return table('Sign-ins', lines.slice(0, ROWS), SIGN_IN_COLUMNS)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return html`<p class="none">Unknown: Redis does not answer.</p>`
  }
}

export async function memberPage(request: PageRequest): Promise<Linked> {
  const { db } = request
  const id = await idOfMember(db, `id:${request.param('id')}`)
  const member = await memberFacts(db, id)
  const [ledger, sessions, team, mails, documents, log, notes] = await Promise.all([
    ledgerPage(db, id, undefined, ROWS),
    sessionsOf(db, id, ROWS),
    teamOf(db, id, ROWS),
    mailsOf(db, String(member.email), ROWS),
    newestDocuments(db, ROWS, { 'd.userId': id }),
    listActions(db, ROWS, { memberId: id }),
    notesOf(db, id, NOTES),
  ])
  const alive = !member.deletedAt
  const link = (name: Parameters<typeof actionLink>[1], label: string) =>
    alive && actionLink(request, name, label, `id:${id}`)
  const { referredBy } = member
  const inviter =
    referredBy !== null &&
    html`<p>Invited by ${memberLink(referredBy, `member ${referredBy}`)}.</p>`
  const mayRead = mayOpen(request.operator.role, 'document')
  const documentColumns: Column<DocumentRow>[] = [
    ['Document', ({ id }) => (mayRead ? html`<a href="/identity/${id}">${id}</a>` : String(id))],
    ['Type', ({ documentType }) => documentType],
    ['Submitted (UTC)', ({ createdAt }) => time(createdAt)],
    ['State', documentState],
  ]
  const frozen =
    member.frozenAt &&
    html`<p class="notice">Frozen since ${time(member.frozenAt as Date)}: ${String(member.frozenReason)}</p>`
  return {
    title: String(member.username),
    content: [
      frozen,
      section(
        'Account',
        factsOf(member, ACCOUNT),
        alive && [
          member.frozenAt
            ? link('members unfreeze', 'Release…')
            : link('members freeze', 'Freeze…'),
          link('members change-email', 'Change the address…'),
          link('members confirm-email', 'Confirm with codes…'),
          link('members set-email', 'Lost mailbox…'),
          member.oneTimeCodesSince !== null &&
            link('members reset-factor', 'Reset one-time codes…'),
          link('members delete', 'Delete the account…'),
        ],
      ),
      section('Wallet', factsOf(member, WALLET), link('ledger correct', 'Correct a balance…')),
      section('Ledger', [
        table('Ledger', ledger.rows, LEDGER_COLUMNS),
        ledger.next &&
          html`<p class="pager"><a class="button" href="/members/${id}/ledger">All rows</a></p>`,
      ]),
      section(
        'Mining',
        [factsOf(member, MINING), table('Sessions', sessions, SESSION_COLUMNS)],
        sessionAction(request, member),
      ),
      section(
        'Team',
        [factsOf(member, TEAM), inviter, table('Newest direct members', team, TEAM_COLUMNS)],
        codeActions(request, member),
      ),
      section('Sign-ins', await signIns(request, id), link('sign-ins end', 'End all…')),
      mailSection(request, member, mails),
      section('Identity documents', table('Documents', documents, documentColumns)),
      section('Notes', table('Notes', notes, noteColumns(request)), link('notes add', 'Add…')),
      section('Log', [
        table('Newest actions', log, LOG_COLUMNS),
        log.length === ROWS &&
          html`<p class="pager"><a class="button" href="/log?member=id:${id}">All actions</a></p>`,
      ]),
    ],
  }
}
