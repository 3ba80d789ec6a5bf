import Check from 'lucide-react/icons/check'
import { Checkbox as Primitive } from 'radix-ui'
import { useId } from 'react'

type CheckboxProps = {
  label: string
  name: string
  checked: boolean
  onCheckedChange: (checked: boolean) => void
}

export function Checkbox({ label, name, checked, onCheckedChange }: CheckboxProps) {
  const id = useId()
  return (
    <div className="flex min-h-11 items-center">
      <Primitive.Root
        id={id}
        name={name}
        checked={checked}
        onCheckedChange={(next) => onCheckedChange(next === true)}
        className="-my-3 -ml-3 inline-flex size-11 shrink-0 items-center justify-center rounded-control"
      >
        <span className="inline-flex size-5 items-center justify-center rounded-chip border border-line-strong bg-panel text-on-mint transition in-data-[state=checked]:border-mint in-data-[state=checked]:bg-mint">
          <Primitive.Indicator>
            <Check className="size-4" strokeWidth={3} />
          </Primitive.Indicator>
        </span>
      </Primitive.Root>
      <label htmlFor={id} className="py-3 text-sm text-ink">
        {label}
      </label>
    </div>
  )
}
