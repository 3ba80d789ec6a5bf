import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import X from 'lucide-react/icons/x'
import { useTranslation } from 'react-i18next'
import { parseSealedRow, type Receipt, type SealedRow } from '#rules/seal/receipt'
import type { ReceiptChecks } from '#rules/seal/verify-receipt'

const ORDER = ['row', 'root', 'hash', 'signature', 'published'] as const

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
export function CheckList({ receipt, checks }: { receipt: Receipt; checks: ReceiptChecks }) {
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
        {ORDER.map((check) => (
          <li key={check} className="flex gap-2">
            <Outcome holds={checks[check]} />
            <span>{t(`checks.${check}`)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
