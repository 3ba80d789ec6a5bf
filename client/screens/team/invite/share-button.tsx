import { Check, Share2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { COPIED_MS } from '#client/ui/buttons/copy-button.tsx'
import { NETWORK_NAME } from '#rules/constants'
import { type ShareOutcome, shareLink } from './share-link.ts'

type Shown = { outcome: ShareOutcome; at: number }

/** Shares the referral link; shows for two seconds if it was copied instead. */
export function ShareButton({ url }: { url: string }) {
  const { t } = useTranslation(['team', 'common'])
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [shown])

  async function share() {
    const text = t('invite.shareText', { network: NETWORK_NAME })
    const outcome = await shareLink({ title: NETWORK_NAME, text, url })
    if (outcome === 'copied' || outcome === 'failed') setShown({ outcome, at: performance.now() })
  }

  const Icon = shown?.outcome === 'copied' ? Check : Share2
  return (
    <Button onClick={() => void share()}>
      <Icon aria-hidden="true" className="size-4" />
      <span aria-live="polite">
        {shown === null
          ? t('invite.share')
          : t(shown.outcome === 'copied' ? 'common:copied' : 'common:notCopied')}
      </span>
      {!shown && <span className="sr-only">{t('invite.shareName')}</span>}
    </Button>
  )
}
