import { exactText, type Token } from '#client/format/amounts.ts'
import { FitText } from '#client/ui/amounts/fit-text.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { Tooltip } from '#client/ui/dialogs/tooltip.tsx'
import type { Money } from '#rules/money/money'

export type ExactAmountProps = {
  /** The amount as the screen shows it, rounded. */
  text: string
  amount: Money
  token: Token
  className?: string
}

/** An amount on one line; a tap, focus or hover shows its eight decimals. */
export function ExactAmount({ text, amount, token, className }: ExactAmountProps) {
  return (
    <Tooltip content={<span className="figure">{exactText(amount, token)}</span>}>
      <button
        type="button"
        className={classNames('block w-full min-w-0 rounded-chip', className ?? 'text-left')}
      >
        <FitText text={text} />
      </button>
    </Tooltip>
  )
}
