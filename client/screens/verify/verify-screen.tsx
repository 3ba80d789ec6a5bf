import Check from 'lucide-react/icons/check'
import FileCheck2 from 'lucide-react/icons/file-check-corner'
import Minus from 'lucide-react/icons/minus'
import X from 'lucide-react/icons/x'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Brand } from '#client/layout/header/brand.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Field } from '#client/ui/forms/field.tsx'
import { FileButton } from '#client/ui/forms/file-button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { parseSealedRow, type Receipt, type SealedRow } from '#rules/seal/receipt'
import { type ReceiptChecks, verifyReceipt } from '#rules/seal/verify-receipt'

/** Checks a receipt of the ledger in the browser; works signed out and without a network. */
export function VerifyScreen() {
  const { t } = useTranslation('verify')
  const { hash, chosen, choose, trust } = useReceipt()
  return (
    <div className="mx-auto flex max-w-form flex-col">
      <Link href="/" className="self-center rounded-chip py-1">
        <Brand />
      </Link>
      <Panel className="mt-6">
        <h1 className="text-lg">{t('title')}</h1>
        <p className="mt-2 text-sm text-pretty text-muted">{t('intro')}</p>
        <FileButton
          label={t('choose')}
          size="large"
          accept="application/json,.json"
          className="mt-5 w-full"
          onFile={choose}
        >
          <FileCheck2 aria-hidden="true" className="size-4" />
        </FileButton>
        <div aria-live="polite">
          {chosen === null && <p className="mt-5 text-coral text-sm">{t('notReceipt')}</p>}
          {chosen && <CheckList {...chosen} />}
        </div>
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
      <Button variant="ghost" asChild className="mt-3 self-center">
        <Link href="/">{t('back')}</Link>
      </Button>
    </div>
  )
}

const CHECK_ORDER = ['row', 'root', 'hash', 'signature', 'published'] as const

function Outcome({ holds }: { holds: boolean | null }) {
  const { t } = useTranslation('verify')
  const [Icon, style, label] =
    holds === null
      ? ([Minus, 'text-muted', t('outcome.open')] as const)
      : holds
        ? ([Check, 'text-mint', t('outcome.holds')] as const)
        : ([X, 'text-coral', t('outcome.fails')] as const)
  return <Icon role="img" aria-label={label} className={`mt-0.5 size-4 shrink-0 ${style}`} />
}

/** What identifies a row, as its sealed text has it: the same in every language. */
const factsOf = ({ amount, tokenType, id, createdAt }: SealedRow) => [
  `${amount} ${tokenType}`,
  id,
  `${createdAt} UTC`,
]

/** The verdict about a receipt, the row that it proves, and each check. */
function CheckList({ receipt, checks }: { receipt: Receipt; checks: ReceiptChecks }) {
  const { t } = useTranslation('verify')
  const isValid = !Object.values(checks).includes(false)
  const row = parseSealedRow(receipt.row)
  const { number, day } = receipt.seal
  return (
    <>
      <h2 className={`mt-5 text-base ${isValid ? 'text-mint' : 'text-coral'}`}>
        {isValid ? t('valid') : t('invalid')}
      </h2>
      {row && (
        <ul className="mt-2 font-mono text-sm wrap-anywhere">
          {factsOf(row).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-muted text-xs">{t('seal', { number, day })}</p>
      <ul className="mt-3 grid gap-2 text-sm">
        {CHECK_ORDER.map((check) => (
          <li key={check} className="flex gap-2">
            <Outcome holds={checks[check]} />
            <span>{t(`checks.${check}`)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A file that was chosen: its receipt, or null if it holds none. */
type Chosen = { receipt: Receipt; checks: ReceiptChecks } | null

/** Reads a receipt, also in the answer of the server around it; undefined for any other JSON. */
function receiptOf(json: unknown): Receipt | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const inner = 'receipt' in json ? json.receipt : json
  if (typeof inner !== 'object' || inner === null) return undefined
  const isReceipt = 'format' in inner && inner.format === 'tesp-receipt-1'
  return isReceipt ? (inner as Receipt) : undefined
}

async function check(file: File, hash: string): Promise<Chosen> {
  try {
    const receipt = receiptOf(JSON.parse(await file.text()))
    if (!receipt) return null
    return { receipt, checks: await verifyReceipt(receipt, hash === '' ? {} : { hash }) }
  } catch {
    return null
  }
}

/** The receipt of the chosen file and its checks; undefined before the first check has ended. */
function useReceipt() {
  const [hash, setHash] = useState('')
  const [file, setFile] = useState<File>()
  const [chosen, setChosen] = useState<Chosen>()
  const trusted = hash.trim().toLowerCase()
  useEffect(() => {
    if (!file) return
    let isLatest = true
    void check(file, trusted).then((checked) => {
      // A check of an earlier file or hash may end later than this one.
      if (isLatest) setChosen(checked)
    })
    return () => {
      isLatest = false
    }
  }, [file, trusted])
  return { hash, chosen, choose: setFile, trust: setHash }
}
