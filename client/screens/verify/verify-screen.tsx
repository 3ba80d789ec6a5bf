import Check from 'lucide-react/icons/check'
import FileCheck2 from 'lucide-react/icons/file-check-corner'
import Minus from 'lucide-react/icons/minus'
import X from 'lucide-react/icons/x'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { dateText } from '#client/format/dates.ts'
import { Brand } from '#client/layout/header/brand.tsx'
import { Button, LinkButton } from '#client/ui/buttons/button.tsx'
import { Field } from '#client/ui/forms/field.tsx'
import { FileButton } from '#client/ui/forms/file-button.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { Panel } from '#client/ui/panel.tsx'
import { parseSealedRow, type Receipt, type SealedRow } from '#rules/seal/receipt'
import type { ReceiptChecks, Verdict } from '#rules/seal/verify-receipt'
import { type CheckedProof, checkProof, type OpenedProof, openProof } from './check-proof.ts'

/** Checks a receipt in the browser, against the keys and seals that the server publishes; works signed out. */
export function VerifyScreen() {
  const { t } = useTranslation(['verify', 'layout', 'common'])
  const { hash, proof, busy, choose, again, trust } = useProof()
  return (
    <div className="mx-auto flex max-w-form flex-col">
      <Link href="/" className="self-center rounded-chip py-1">
        <Brand />
      </Link>
      <Panel className="mt-6 bg-card!" {...useKeptFocus()}>
        <h1 className="text-lg">{t('layout:titles./verify')}</h1>
        <p className="mt-2 text-sm text-pretty text-muted">{t('intro')}</p>
        <FileButton
          label={t('choose')}
          size="large"
          accept="application/json,.json"
          className="mt-5 w-full"
          icon={FileCheck2}
          busy={busy}
          onFile={choose}
        />
        <div aria-live="polite">
          {proof === null && <p className="mt-5 text-coral text-sm">{t('notReceipt')}</p>}
          {proof && (
            <>
              <VerdictText verdict={proof.verdict} receipt={proof.receipt} />
              <CheckList checks={proof.checks} />
            </>
          )}
        </div>
        {proof && OPEN.includes(proof.verdict) && (
          <Button variant="secondary" className="mt-4 w-full" onClick={again}>
            {t('common:tryAgain')}
          </Button>
        )}
        <hr className="my-5 border-line" />
        <Field
          label={t('hash')}
          hint={t('hashHint')}
          value={hash}
          onChange={({ currentTarget }) => trust(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          inputClassName="font-mono"
        />
      </Panel>
      <LinkButton href="/" variant="ghost" className="mt-3 self-center">
        {t('layout:notFound.back')}
      </LinkButton>
    </div>
  )
}

const OUTCOMES = {
  true: { Icon: Check, style: 'text-mint', label: 'holds' },
  false: { Icon: X, style: 'text-coral', label: 'fails' },
  null: { Icon: Minus, style: 'text-muted', label: 'open' },
} as const

/** As in the sealed text: the same in every language. */
const factsOf = ({ amount, tokenType, id, createdAt }: SealedRow) => [
  `${amount} ${tokenType}`,
  id,
  `${createdAt} UTC`,
]

const TONES: Record<Verdict, string> = {
  valid: 'text-mint',
  signed: 'text-amber',
  unchecked: 'text-amber',
  unknownKey: 'text-coral',
  invalid: 'text-coral',
}

/** Verdicts that another try may change. */
const OPEN: Verdict[] = ['signed', 'unchecked']

/** Anybody can write a receipt: the page shows its signer once verified, its row only if the proof is valid. */
function VerdictText({ verdict, receipt }: { verdict: Verdict; receipt: Receipt }) {
  const { t } = useTranslation('verify')
  const { number, day, sealedAt } = receipt.seal
  const row = verdict === 'valid' ? parseSealedRow(receipt.row) : undefined
  const isSigned = verdict === 'valid' || verdict === 'signed'
  return (
    <>
      <h2 className={`mt-5 text-base ${TONES[verdict]}`}>{t(`verdicts.${verdict}`)}</h2>
      {isSigned && <p className="mt-2 text-sm">{t('signedBy', { date: dateText(sealedAt) })}</p>}
      {row && (
        <ul className="mt-2 font-mono text-sm wrap-anywhere">
          {factsOf(row).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {verdict !== 'valid' && <p className="mt-2 text-sm text-muted">{t(`reasons.${verdict}`)}</p>}
      {isSigned && <p className="mt-2 text-muted text-xs">{t('seal', { number, day })}</p>}
    </>
  )
}

const CHECK_ORDER = ['row', 'root', 'hash', 'signature', 'key', 'published', 'entered'] as const

function CheckList({ checks }: { checks: ReceiptChecks }) {
  const { t } = useTranslation('verify')
  // Entering a hash is optional.
  const shown = CHECK_ORDER.filter((check) => check !== 'entered' || checks.entered !== null)
  return (
    <ul className="mt-3 grid gap-2 text-sm">
      {shown.map((check) => {
        const { Icon, style, label } = OUTCOMES[`${checks[check]}`]
        const look = `mt-0.5 size-4 shrink-0 ${style}`
        return (
          <li key={check} className="flex gap-2">
            <Icon role="img" aria-label={t(`outcome.${label}`)} className={look} />
            <span>{t(`checks.${check}`)}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** `proof` is undefined until its checks have ended, and null for a file without one. */
function useProof() {
  const [hash, setHash] = useState('')
  const [chosen, setChosen] = useState<{ file: File; opening: Promise<OpenedProof> }>()
  const [result, setResult] = useState<{ of: typeof chosen; proof: CheckedProof }>()
  const trusted = hash.trim().toLowerCase()
  useEffect(() => {
    let isLatest = true
    void chosen?.opening
      .then((opened) => checkProof(opened, trusted))
      .then((proof) => {
        // A check of an earlier file or hash may end later than this one.
        if (isLatest) setResult({ of: chosen, proof })
      })
    return () => {
      isLatest = false
    }
  }, [chosen, trusted])
  const choose = (file: File) => setChosen({ file, opening: openProof(file) })
  const isDone = result?.of === chosen
  return {
    hash,
    proof: isDone ? result?.proof : undefined,
    busy: !isDone,
    choose,
    again: () => chosen && choose(chosen.file),
    trust: setHash,
  }
}
