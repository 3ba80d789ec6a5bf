import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Button } from '#client/ui/button.tsx'

const button = () => screen.getByRole<HTMLButtonElement>('button')

describe('button', () => {
  it('a busy button ignores clicks and sets aria-busy', async () => {
    const onClick = vi.fn()
    render(
      <Button busy onClick={onClick}>
        Save
      </Button>,
    )
    await userEvent.click(button())
    expect(onClick).not.toHaveBeenCalled()
    expect(button().getAttribute('aria-busy')).toBe('true')
    expect(screen.getByText('Save')).toBeTruthy()
  })

  it('a button with a busy label keeps its width', () => {
    const { rerender } = render(<Button busyLabel="Claiming...">Claim Rewards</Button>)
    expect(screen.getByText('Claiming...').className).toContain('invisible')
    rerender(
      <Button busy busyLabel="Claiming...">
        Claim Rewards
      </Button>,
    )
    expect(screen.getByText('Claim Rewards').className).toContain('invisible')
    expect(screen.getByText('Claiming...').className).not.toContain('invisible')
  })

  it('a button regains the focus after it was busy', async () => {
    const { rerender } = render(<Button>Save</Button>)
    await userEvent.click(button())
    rerender(<Button busy>Save</Button>)
    button().blur()
    rerender(<Button>Save</Button>)
    expect(document.activeElement).toBe(button())
  })

  it('a button does not submit its form by default', () => {
    render(<Button>Send OTP</Button>)
    expect(button().type).toBe('button')
  })
})
