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
import { DAY_MS } from '#rules/constants'
import type { Activity } from '#rules/snapshots'

/** Days are sealed by UTC in product time, the time of the ledger. */
const dayOf = (at: number) => Math.floor(at / DAY_MS)

export function Proof({ activity: { id, timestamp } }: { activity: Activity }) {
  const { t } = useTranslation(['wallet', 'layout'])
  const isToday = dayOf(Date.parse(timestamp)) === dayOf(productNow() ?? Date.now())
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
        busyLabel={t('receipt.proof.preparing')}
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
          outcome?.state === 'failed' ? 'text-coral' : 'text-muted',
        )}
      >
        {outcome && <OutcomeText outcome={outcome} />}
      </span>
    </>
  )
}

function OutcomeText({ outcome }: { outcome: ProofOutcome }) {
  const { t } = useTranslation('wallet')
  if (outcome.state === 'saved') return t('receipt.proof.saved', { name: outcome.name })
  return outcome.state === 'notSealed' ? t('receipt.proof.notSealed') : outcome.message
}

type ProofOutcome =
  | { state: 'saved'; name: string }
  | { state: 'notSealed' }
  | { state: 'failed'; message: string }

/** Colons of ledger ids are not allowed in file names of Windows. */
const fileNameOf = (id: string) => `tesp-proof-${id.replace(/[^\w.-]+/g, '-')}.json`

/** Saves the JSON file that `/verify` and `npm run verify` read. */
async function downloadProof(id: string): Promise<ProofOutcome> {
  try {
    const { receipt } = await call('GET /api/ledger/receipt', { query: { id } })
    if (!receipt) return { state: 'notSealed' }
    const name = fileNameOf(id)
    saveFile(name, JSON.stringify(receipt, null, 2))
    return { state: 'saved', name }
  } catch (error) {
    return { state: 'failed', message: messageOf(error, i18n.t('noAnswer')) }
  }
}
