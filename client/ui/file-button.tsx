import { type ComponentProps, useRef } from 'react'
import { Button, type ButtonProps } from './button.tsx'

export type FileButtonProps = Omit<ButtonProps, 'onClick'> &
  Pick<ComponentProps<'input'>, 'accept' | 'capture'> & {
    /** What the button does, also as the name of the file field behind it. */
    label: string
    onFile: (file: File) => void
  }

/** A button that lets a file be chosen. */
export function FileButton({ label, accept, capture, onFile, children, ...rest }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...rest} onClick={() => input.current?.click()}>
        {children}
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
          // Emptied, so that the same file can be chosen again.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
