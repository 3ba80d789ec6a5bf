import { classNames } from '#client/ui/class-names.ts'

/** Widths of the display face, em: a tabular digit or capital, and a separator. */
const DIGIT_EM = 0.62
const SEPARATOR_EM = 0.32

/** Width that a figure needs on one line, em. */
export function widthEm(text: string): number {
  const separators = text.match(/[,. :]/g)?.length ?? 0
  return (text.length - separators) * DIGIT_EM + separators * SEPARATOR_EM
}

/**
 * A figure on one line, which gets smaller where it would not fit. It fills its parent, so in a row
 * the parent must grow.
 */
export function FitText({ text, className }: { text: string; className?: string }) {
  return (
    <span className={classNames('@container block w-full min-w-0', className)}>
      <span
        className="inline-block whitespace-nowrap"
        style={{ fontSize: `min(1em, calc(100cqi / ${widthEm(text).toFixed(2)}))` }}
      >
        {text}
      </span>
    </span>
  )
}
