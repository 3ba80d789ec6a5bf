import BadgeCheck from 'lucide-react/icons/badge-check'
import Bell from 'lucide-react/icons/bell'
import BellRing from 'lucide-react/icons/bell-ring'
import Flag from 'lucide-react/icons/flag'
import KeyRound from 'lucide-react/icons/key-round'
import MailX from 'lucide-react/icons/mail-x'
import Megaphone from 'lucide-react/icons/megaphone'
import Pickaxe from 'lucide-react/icons/pickaxe'
import Scale from 'lucide-react/icons/scale'
import Snowflake from 'lucide-react/icons/snowflake'
import UserPlus from 'lucide-react/icons/user-plus'
import Wrench from 'lucide-react/icons/wrench'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { grouped, type Token, wholeText } from '#client/format/amounts.ts'
import { dateTimeText } from '#client/format/dates.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { blockInviter } from '#client/push/team-reminders.ts'
import { deviceText } from '#client/screens/account/device-text.ts'
import { hrefOfView } from '#client/screens/account/views.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import type { InboxKind, InboxRow } from '#rules/inbox'
import { DELETED_MEMBER } from '#rules/members/usernames-and-emails'
import { isPositive, type Money } from '#rules/money/money'
import { type Entry, isRow } from './inbox-list.ts'

/** All decimals but zeros at the end: `2.4 TESP`. */
export function exactAmount(amount: Money, token: Token): string {
  const text = amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
  return `${text.startsWith('-') ? '−' : ''}${grouped(text.replace('-', ''))}\u00a0${token}`
}

type Icon = ComponentType<{ className?: string; strokeWidth?: number }>

const LOOKS: Record<InboxKind, { Icon: Icon; to?: string }> = {
  'session-ended': { Icon: Pickaxe, to: '/mine' },
  'member-joined': { Icon: UserPlus, to: '/team' },
  'team-reminder': { Icon: BellRing, to: '/mine' },
  'milestone-ready': { Icon: Flag, to: '/team' },
  'milestone-paid': { Icon: Flag, to: '/team' },
  'identity-decided': { Icon: BadgeCheck, to: hrefOfView('identity') },
  'new-browser': { Icon: KeyRound, to: hrefOfView('security') },
  'mail-refused': { Icon: MailX, to: '/account' },
  corrected: { Icon: Scale, to: '/wallet' },
  frozen: { Icon: Snowflake },
  released: { Icon: Snowflake },
}

/** Shows the reason of an operator as it was written, never interpolated. */
function wordsOf(row: InboxRow): { title: string; text: string } {
  const { kind, facts } = row
  switch (kind) {
    case 'session-ended': {
      const tesp = exactAmount(facts.tesp, 'TESP')
      const text = isPositive(facts.usdt)
        ? i18n.t('inbox:texts.minedBoth', { tesp, usdt: exactAmount(facts.usdt, 'USDT') })
        : i18n.t('inbox:texts.mined', { tesp })
      return { title: i18n.t('inbox:kinds.session-ended'), text }
    }
    case 'member-joined':
    case 'team-reminder': {
      const { username } = facts
      const hasJoined = kind === 'member-joined'
      const title =
        username === DELETED_MEMBER
          ? i18n.t(hasJoined ? 'inbox:kinds.someoneJoined' : 'inbox:kinds.someoneReminds')
          : i18n.t(`inbox:kinds.${kind}`, { username })
      return { title, text: hasJoined ? '' : i18n.t('inbox:texts.teamReminder') }
    }
    case 'milestone-ready': {
      const title = i18n.t('inbox:kinds.milestone-ready', { members: wholeText(facts.members) })
      return { title, text: i18n.t('inbox:texts.milestoneReady') }
    }
    case 'milestone-paid': {
      const title = i18n.t('inbox:kinds.milestone-paid', { members: wholeText(facts.members) })
      const [tesp, usdt] = [exactAmount(facts.tesp, 'TESP'), exactAmount(facts.usdt, 'USDT')]
      return { title, text: i18n.t('inbox:texts.paid', { tesp, usdt }) }
    }
    case 'identity-decided': {
      const title = facts.accepted ? 'inbox:kinds.identityAccepted' : 'inbox:kinds.identityRejected'
      return { title: i18n.t(title), text: facts.reason }
    }
    case 'new-browser': {
      const text = i18n.t('inbox:texts.newBrowser', { device: deviceText(facts.device) })
      return { title: i18n.t('inbox:kinds.new-browser'), text }
    }
    case 'mail-refused':
      return { title: i18n.t('inbox:kinds.mail-refused'), text: i18n.t('inbox:texts.mailRefused') }
    case 'corrected': {
      const amount = exactAmount(facts.amount, facts.token)
      const signed = facts.amount.startsWith('-') ? amount : `+${amount}`
      return { title: i18n.t('inbox:kinds.corrected'), text: `${signed} · ${facts.reason}` }
    }
    case 'frozen':
    case 'released':
      return { title: i18n.t(`inbox:kinds.${kind}`), text: facts.reason }
    default:
      return { title: '', text: '' }
  }
}

type Look = { Icon: Icon; title: string; text: string; to?: string; window?: string }

function lookOf(entry: Entry): Look {
  if (isRow(entry)) {
    const { Icon = Bell, to } = LOOKS[entry.kind] ?? {}
    return { Icon, to, ...wordsOf(entry) }
  }
  const { kind, texts, from, until } = entry
  const title = i18n.t(`inbox:announcement.${kind}`)
  const text = texts[currentLanguage()]
  if (kind !== 'maintenance') return { Icon: Megaphone, title, text }
  const times = { from: dateTimeText(from), until: dateTimeText(until) }
  return { Icon: Wrench, title, text, window: i18n.t('inbox:announcement.window', times) }
}

/** Leaves out a row of a kind that only a newer server knows. */
export function InboxEntry({ entry, unread }: { entry: Entry; unread: boolean }) {
  const { t } = useTranslation('inbox')
  const { Icon, title, text, to, window } = lookOf(entry)
  if (!title) return null
  const canBlock =
    isRow(entry) && entry.kind === 'team-reminder' && entry.facts.username !== DELETED_MEMBER
  return (
    <li className="relative flex items-start gap-3 border-line border-t py-3 first:border-t-0">
      <span
        aria-hidden="true"
        className={`mt-0.5 inline-flex size-10 shrink-0 items-center justify-center rounded-full border ${
          unread ? 'border-mint-line bg-mint-soft text-mint' : 'border-line text-muted'
        }`}
      >
        <Icon className="size-5" strokeWidth={1.75} />
      </span>
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 text-sm font-medium">
          <span className="min-w-0 wrap-anywhere">
            {to ? (
              <Link
                href={to}
                className="outline-none after:absolute after:inset-0 after:rounded-chip focus-visible:after:outline-2 focus-visible:after:outline-mint"
              >
                {title}
              </Link>
            ) : (
              title
            )}
          </span>
          {unread && <Badge tone="amber">{t('new')}</Badge>}
        </p>
        {text && <p className="mt-0.5 text-sm text-muted wrap-anywhere">{text}</p>}
        {window && <p className="mt-0.5 text-xs text-muted">{window}</p>}
        <time dateTime={entry.at} className="mt-0.5 block text-xs text-muted">
          {dateTimeText(entry.at)}
        </time>
        {canBlock && <BlockInviter name={entry.facts.username} />}
      </div>
    </li>
  )
}

function BlockInviter({ name }: { name: string }) {
  const { t } = useTranslation(['inbox', 'account'])
  const [isDone, setDone] = useState(false)
  const keptFocus = useKeptFocus()
  const title = t('account:reminders.team.blocked', { name })
  const block = async () => setDone(await blockInviter(name, true, t('inbox:block.wayBack')))
  return (
    <div {...keptFocus} className="outline-none">
      {isDone ? (
        <p className="mt-1 text-xs text-muted wrap-anywhere">{title}</p>
      ) : (
        // Above the link of the entry, which covers all of it.
        <Button
          variant="ghost"
          className="relative -mx-4 max-w-[calc(100%+2rem)]! text-left underline wrap-anywhere"
          onPress={block}
        >
          {t('account:reminders.team.block', { name })}
        </Button>
      )}
    </div>
  )
}
