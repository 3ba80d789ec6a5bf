import FileCheck2 from 'lucide-react/icons/file-check-corner'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { call, messageOf } from '#client/data/api.ts'
import { productNow } from '#client/data/product-clock.ts'
import { i18n } from '#client/language/language.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { saveFile } from '#client/ui/save-file.ts'
import { dayText } from '#rules/duration-text'
import type { Activity } from '#rules/snapshots'

export function Proof({ activity: { id, timestamp } }: { activity: Activity }) {
  const { t } = useTranslation(['wallet', 'layout'])
  // Days are sealed by UTC in product time, the time of the ledger.
  const isToday = dayText(Date.parse(timestamp)) === dayText(productNow() ?? Date.now())
  return (
    <span className="block text-pretty">
      {t('wallet:receipt.proof.text')}
      <Link
        href="/verify"
        className="flex min-h-11 w-fit items-center text-mint underline underline-offset-2"
      >
        {t('layout:titles./verify')}
      </Link>
      {isToday ? (
        <span className="block text-muted">{t('wallet:receipt.proof.today')}</span>
      ) : (
        <Download id={id} />
      )}
    </span>
  )
}

function Download({ id }: { id: string }) {
  const { t } = useTranslation('wallet')
  const [outcome, setOutcome] = useState<ProofOutcome>()
  const answer = useRef<HTMLSpanElement>(null)
  // The button may be the last line of the dialog that a small phone shows.
  useEffect(() => {
    if (outcome) answer.current?.scrollIntoView({ block: 'nearest' })
  }, [outcome])
  return (
    <>
      <Button
        variant="secondary"
        icon={FileCheck2}
        className="mt-1 w-full"
        busyLabel={t('preparing')}
        onPress={async () => setOutcome(await downloadProof(id))}
      >
        {t('receipt.proof.download')}
      </Button>
      {/* In the dialog, because it covers the toasts. */}
      <span
        ref={answer}
        role="status"
        className={classNames(
          'block scroll-mb-panel text-xs wrap-anywhere',
          outcome && 'mt-2',
          outcome?.failed ? 'text-coral' : 'text-muted',
        )}
      >
        {outcome?.text}
      </span>
    </>
  )
}

type ProofOutcome = { text: string; failed?: boolean }

/** Saves the JSON file that `/verify` and `npm run verify` read. */
async function downloadProof(id: string): Promise<ProofOutcome> {
  try {
    const { receipt } = await call('GET /api/ledger/receipt', { query: { id } })
    if (!receipt) return { text: i18n.t('wallet:receipt.proof.notSealed') }
    // Colons of ledger ids are not allowed in file names of Windows.
    const name = `tesp-proof-${id.replace(/[^\w.-]+/g, '-')}.json`
    saveFile(name, JSON.stringify(receipt, null, 2))
    return { text: i18n.t('wallet:receipt.proof.saved', { name }) }
  } catch (error) {
    return { text: messageOf(error, i18n.t('noAnswer')), failed: true }
  }
}
