import { type ComponentProps, useRef } from 'react'
import { Button, type ButtonProps } from '#client/ui/buttons/button.tsx'

type FileButtonProps = Omit<ButtonProps, 'onClick' | 'children'> &
  Pick<ComponentProps<'input'>, 'accept' | 'capture'> & {
    label: string
    onFile: (file: File) => void
  }

export function FileButton({ label, accept, capture, onFile, ...rest }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...rest} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        capture={capture}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Cleared, so that choosing the same file again triggers a change.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
