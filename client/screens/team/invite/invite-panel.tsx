import Snowflake from 'lucide-react/icons/snowflake'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { useTranslation } from 'react-i18next'
import { generateCode } from '#client/screens/team/team-commands.ts'
import { referralLink } from '#client/screens/team/team-view.ts'
import { useTeamCommand } from '#client/screens/team/use-team-command.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { CopyButton } from '#client/ui/buttons/copy-button.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { ReferralInfo } from '#rules/snapshots'
import { QrButton } from './qr-button.tsx'
import { ShareButton } from './share-button.tsx'

/** Ways to invite: share sheet, QR code, link and code, or the button that generates the code. */
export function InvitePanel({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  return (
    <TitledPanel titleId="invite-title" title={t('invite.title')}>
      {info === undefined ? (
        <Waiting />
      ) : info.referralCode === null ? (
        <Generate />
      ) : (
        <Invitation code={info.referralCode} frozenReason={info.frozenReason} />
      )}
    </TitledPanel>
  )
}

type InvitationProps = { code: string; frozenReason: string | null }

function Invitation({ code, frozenReason }: InvitationProps) {
  const { t } = useTranslation('team')
  const { origin } = window.location
  const url = referralLink(origin, code)
  return (
    <>
      {frozenReason === null ? (
        <div className={buttonsLook}>
          <ShareButton url={url} />
          <QrButton url={url} code={code} />
        </div>
      ) : (
        <Frozen reason={frozenReason} />
      )}
      <Copyable label={t('invite.link')} text={url} breakAfter={origin.length} />
      <Copyable label={t('invite.code')} text={code} />
    </>
  )
}

const buttonsLook = 'mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3'

type CopyableProps = { label: string; text: string; breakAfter?: number }

/** A text that breaks only at `breakAfter`, with its copy button, which wraps below if needed. */
function Copyable({ label, text, breakAfter = text.length }: CopyableProps) {
  const pieces = [text.slice(0, breakAfter), text.slice(breakAfter)]
  return (
    <div className="mt-4 flex flex-wrap items-end justify-between gap-3">
      <p className="min-w-0 grow basis-44">
        <span className="block text-xs text-muted">{label}</span>
        <span className="mt-1 block font-mono text-sm">
          {pieces.filter(Boolean).map((piece) => (
            <span key={piece} className="inline-block max-w-full truncate align-bottom">
              {piece}
            </span>
          ))}
        </span>
      </p>
      <CopyButton text={text} what={label.toLowerCase()} />
    </div>
  )
}

function Frozen({ reason }: { reason: string }) {
  const { t } = useTranslation('team')
  return (
    <p className="mt-4 flex gap-3 rounded-control border border-amber-line bg-amber-soft px-4 py-3 text-sm text-amber">
      <Snowflake aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{t('invite.frozen', { reason })}</span>
    </p>
  )
}

function Generate() {
  const { t } = useTranslation('team')
  const button = useTeamCommand('generate')
  return (
    // As tall as the invitation that takes its place.
    <div className="flex min-h-49 flex-col items-center justify-between gap-3 pt-4 text-center">
      <span className="inline-flex size-14 items-center justify-center rounded-full border border-mint-line bg-mint-soft text-mint">
        <UserRoundPlus aria-hidden="true" className="size-6" strokeWidth={1.75} />
      </span>
      <p className="text-sm text-balance text-muted">{t('invite.generateNote')}</p>
      <Button size="large" className="w-full" {...button} onClick={generateCode}>
        {t('invite.generate')}
      </Button>
    </div>
  )
}

function Waiting() {
  return (
    <>
      <div className={buttonsLook}>
        <Skeleton className="h-11 rounded-control" />
        <Skeleton className="h-11 rounded-control" />
      </div>
      <div className="mt-4 flex flex-col gap-4">
        {['h-10 w-40', 'h-5 w-28'].map((size) => (
          <div key={size} className="flex items-end justify-between gap-3">
            <div>
              <Skeleton className="h-4 w-20" />
              <Skeleton className={`mt-1 ${size}`} />
            </div>
            <Skeleton className="h-11 w-28 rounded-control" />
          </div>
        ))}
      </div>
    </>
  )
}
