import { classNames } from '#client/ui/class-names.ts'

/** Width of the widest tabular digit of the display face, em. */
const DIGIT_EM = 0.63

/**
 * A figure on one line, which gets smaller where it would not fit. It fills its parent, so in a row
 * the parent must grow.
 */
export function FitText({ text, className }: { text: string; className?: string }) {
  return (
    <span className={classNames('@container block w-full min-w-0', className)}>
      <span
        className="inline-block whitespace-nowrap"
        style={{ fontSize: `min(1em, calc(100cqi / ${(text.length * DIGIT_EM).toFixed(2)}))` }}
      >
        {text}
      </span>
    </span>
  )
}
