import Check from 'lucide-react/icons/check'
import Share2 from 'lucide-react/icons/share-2'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { useOutcome } from '#client/ui/buttons/use-outcome.ts'
import { NETWORK_NAME } from '#rules/constants'
import { type ShareOutcome, shareLink } from './share-link.ts'

/** Shares the referral link; shows for two seconds if it was copied instead. */
export function ShareButton({ url }: { url: string }) {
  const { t } = useTranslation(['team', 'common'])
  const [shown, show] = useOutcome<ShareOutcome>()

  async function share() {
    const text = t('invite.shareText', { network: NETWORK_NAME })
    const outcome = await shareLink({ title: NETWORK_NAME, text, url })
    if (outcome === 'copied' || outcome === 'failed') show(outcome)
  }

  const Icon = shown === 'copied' ? Check : Share2
  return (
    <Button onClick={() => void share()}>
      <Icon aria-hidden="true" className="size-4" />
      <span aria-live="polite">
        {shown === null
          ? t('invite.share')
          : t(shown === 'copied' ? 'common:copied' : 'common:notCopied')}
      </span>
      {!shown && <span className="sr-only">{t('invite.shareName')}</span>}
    </Button>
  )
}
