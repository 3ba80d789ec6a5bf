import Check from 'lucide-react/icons/check'
import QrIcon from 'lucide-react/icons/qr-code'
import Share2 from 'lucide-react/icons/share-2'
import Snowflake from 'lucide-react/icons/snowflake'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { SupportLink } from '#client/layout/service-link.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { CopyButton, copyText, useOutcome } from '#client/ui/buttons/copy-button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { Skeleton } from '#client/ui/loading.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { NETWORK_NAME } from '#rules/constants'
import { readyMilestones } from '#rules/money/milestones'
import type { ReferralInfo } from '#rules/snapshots'
import { generateCode, useTeamCommand } from './team-commands.ts'
import { referralLink } from './team-view.ts'

const QrCode = lazyComponent(() => import('#client/ui/pictures/qr-code.tsx'), 'QrCode')

export function InvitePanel({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const keptFocus = useKeptFocus()
  return (
    <TitledPanel titleId="invite-title" title={t('invite.title')} {...keptFocus}>
      {info === undefined ? (
        <Waiting />
      ) : info.referralCode === null ? (
        <GenerateCode />
      ) : (
        <Invitation info={info} code={info.referralCode} />
      )}
    </TitledPanel>
  )
}

function Invitation({ info, code }: { info: ReferralInfo; code: string }) {
  const { t } = useTranslation('team')
  const { origin } = window.location
  const url = referralLink(origin, code)
  return (
    <>
      {info.frozenReason === null ? (
        <div className={buttonsLook}>
          {/* A ready milestone has the one primary button. */}
          <ShareButton url={url} quiet={readyMilestones(info).length > 0} />
          <ButtonDialog
            label={t('qr.open')}
            title={t('qr.title')}
            description={t('qr.note')}
            icon={QrIcon}
          >
            <div className="mx-auto aspect-square max-w-72">
              <QrCode
                text={url}
                label={t('qr.name')}
                fallback={<Skeleton className="size-full rounded-control" />}
              />
            </div>
            <p className="mt-4 text-center font-mono text-lg">{code}</p>
          </ButtonDialog>
        </div>
      ) : (
        <div className="mt-4 flex gap-3 rounded-control border border-amber-line bg-amber-soft px-4 py-3 text-sm text-amber">
          <Snowflake className="mt-0.5 size-4 shrink-0" />
          <div>
            <p>{t('invite.frozen', { reason: info.frozenReason })}</p>
            <SupportLink />
          </div>
        </div>
      )}
      <Copyable label={t('invite.link')} text={url} breakAfter={origin.length} />
      <Copyable label={t('invite.code')} text={code} />
    </>
  )
}

const buttonsLook = 'mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3'

type CopyableProps = { label: string; text: string; breakAfter?: number }

/** A text that breaks only at `breakAfter`, with its copy button. */
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

function GenerateCode() {
  const { t } = useTranslation('team')
  const button = useTeamCommand('generate')
  return (
    // As tall as the invitation that takes its place.
    <div className="flex min-h-49 flex-col items-center justify-between gap-3 pt-4 text-center">
      <span className="inline-flex size-14 items-center justify-center rounded-full border border-mint-line bg-mint-soft text-mint">
        <UserRoundPlus className="size-6" strokeWidth={1.75} />
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

function ShareButton({ url, quiet }: { url: string; quiet: boolean }) {
  const { t } = useTranslation(['team', 'common'])
  const [copied, showCopied] = useOutcome()

  /** Call it directly from a click: browsers open the share sheet for a user gesture only. */
  async function share() {
    if (typeof navigator.share === 'function') {
      try {
        const text = t('invite.shareText', { network: NETWORK_NAME })
        return await navigator.share({ title: NETWORK_NAME, text, url })
      } catch (error) {
        // The member closed the sheet; any other failure means that it did not open.
        if ((error as DOMException).name === 'AbortError') return
      }
    }
    showCopied(await copyText(url))
  }

  return (
    <Button
      variant={quiet ? 'secondary' : 'primary'}
      icon={copied ? Check : Share2}
      onClick={() => void share()}
    >
      <span aria-live="polite">
        {copied === null ? t('invite.share') : t(copied ? 'common:copied' : 'common:notCopied')}
      </span>
      {copied === null && <span className="sr-only">{t('invite.shareName')}</span>}
    </Button>
  )
}
