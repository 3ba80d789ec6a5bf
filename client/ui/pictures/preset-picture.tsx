import type { ReactNode } from 'react'
import type { AvatarPreset } from '#rules/members/avatars'

const petals = [0, 45, 90, 135, 180, 225, 270, 315]

/** Drawings of 96 × 96 units, shown cropped to a circle. */
const drawings: Record<AvatarPreset, ReactNode> = {
  orbit: (
    <>
      <rect className="fill-mint-soft" width="96" height="96" />
      <g transform="rotate(-24 48 48)" fill="none" strokeWidth="3.5" strokeLinecap="round">
        <path className="stroke-sky" opacity="0.55" d="M14 48a34 11 0 0 1 68 0" />
        <circle className="fill-mint" stroke="none" cx="48" cy="48" r="18" />
        <path
          className="fill-ground"
          stroke="none"
          opacity="0.28"
          d="M48 30a18 18 0 0 1 0 36a25 25 0 0 0 0-36"
        />
        <path className="stroke-sky" d="M14 48a34 11 0 0 0 68 0" />
      </g>
      <circle className="fill-ink" cx="74" cy="24" r="3.5" />
    </>
  ),
  prism: (
    <>
      <rect className="fill-raised" width="96" height="96" />
      <g fill="none" strokeWidth="4" strokeLinecap="round">
        <path className="stroke-ink" d="M4 60 36 47" />
        <path className="stroke-mint" d="m59 44 35 2" />
        <path className="stroke-amber" d="m61 49 33 9" />
        <path className="stroke-coral" d="m63 54 29 16" />
      </g>
      <path className="fill-sheet" d="M48 22 76 70H20z" />
      <path className="fill-sky" opacity="0.85" d="M48 22 54 70H20z" />
      <path className="fill-sky" opacity="0.4" d="M48 22 76 70H54z" />
    </>
  ),
  wave: (
    <>
      <rect className="fill-sky-soft" width="96" height="96" />
      <circle className="fill-amber" cx="62" cy="32" r="12" />
      <g className="fill-sky">
        <path opacity="0.35" d="M0 48q12-12 24 0t24 0 24 0 24 0v48H0z" />
        <path opacity="0.55" d="M-12 60q12-12 24 0t24 0 24 0 24 0 24 0v36H-12z" />
        <path d="M0 73q12-12 24 0t24 0 24 0 24 0v23H0z" />
      </g>
    </>
  ),
  summit: (
    <>
      <rect className="fill-raised" width="96" height="96" />
      <circle className="fill-ink" opacity="0.9" cx="69" cy="29" r="7" />
      <path className="fill-mint-deep" opacity="0.45" d="M34 96 70 46l34 50z" />
      <path className="fill-mint-deep" d="M-6 96 38 30l44 66z" />
      <path className="fill-ink" d="M38 30 24.7 50l7.3-3 6 7 6-6 8.6 2.6z" />
    </>
  ),
  bloom: (
    <>
      <rect className="fill-coral-soft" width="96" height="96" />
      <g className="fill-coral" opacity="0.85">
        {petals.map((turn) => (
          <ellipse
            key={turn}
            cx="48"
            cy="29"
            rx="9"
            ry="16"
            opacity={turn % 90 === 0 ? 1 : 0.5}
            transform={`rotate(${turn} 48 48)`}
          />
        ))}
      </g>
      <circle className="fill-amber" cx="48" cy="48" r="9" />
    </>
  ),
  circuit: (
    <>
      <rect className="fill-mint-soft" width="96" height="96" />
      <g
        className="stroke-mint"
        fill="none"
        strokeWidth="3.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path
          opacity="0.6"
          d="M40 36V22M56 36V26l6-6M60 40h14M60 56h10l6 6M56 60v14M40 60v10l-6 6M36 56H22M36 40H26l-6-6"
        />
        <rect className="fill-sheet" x="33" y="33" width="30" height="30" rx="6" />
      </g>
      <g className="fill-mint">
        <circle cx="40" cy="20" r="4" />
        <circle cx="76" cy="40" r="4" />
        <circle cx="56" cy="76" r="4" />
        <circle cx="20" cy="56" r="4" />
        <rect x="42" y="42" width="12" height="12" rx="2.5" />
      </g>
    </>
  ),
  comet: (
    <>
      <rect className="fill-sky-soft" width="96" height="96" />
      <g className="stroke-sky" fill="none" strokeLinecap="round">
        <path strokeWidth="6" opacity="0.7" d="M50 46 84 12" />
        <path strokeWidth="5" opacity="0.45" d="M42 38 66 14" />
        <path strokeWidth="5" opacity="0.45" d="M58 54 82 30" />
      </g>
      <circle className="fill-sky" opacity="0.35" cx="40" cy="56" r="20" />
      <circle className="fill-ink" cx="40" cy="56" r="12" />
      <g className="fill-ink" opacity="0.7">
        <circle cx="24" cy="26" r="2.5" />
        <circle cx="72" cy="66" r="2.5" />
        <circle cx="58" cy="82" r="2" />
      </g>
    </>
  ),
  lattice: (
    <>
      <rect className="fill-amber-soft" width="96" height="96" />
      <g className="stroke-amber" fill="none" strokeWidth="3.5" strokeLinejoin="round">
        <path d="m48 18 26 15v30L48 78 22 63V33z" />
        <path opacity="0.5" d="M48 48V18M48 48l26 15M48 48 22 63" />
        <path className="fill-amber" opacity="0.3" stroke="none" d="M48 48 22 33l26-15 26 15z" />
        <path className="fill-amber" opacity="0.14" stroke="none" d="M48 48v30l26-15V33z" />
      </g>
      <circle className="fill-amber" cx="48" cy="48" r="5" />
    </>
  ),
  ember: (
    <>
      <rect className="fill-coral-soft" width="96" height="96" />
      <path
        className="fill-coral"
        d="M50 14c3 15 22 24 22 44a24 24 0 0 1-48 0c0-11 6-17 10-24 2 6 4 9 8 11 3-11 2-21 8-31z"
      />
      <path
        className="fill-amber"
        d="M50 46c1 8 10 11 10 20a12 12 0 0 1-24 0c0-6 3-9 5-12 2 3 3 4 4 5 2-4 2-9 5-13z"
      />
      <circle className="fill-amber" cx="72" cy="28" r="2.5" />
      <circle className="fill-amber" opacity="0.7" cx="26" cy="24" r="2" />
    </>
  ),
}

export function PresetPicture({ name, className }: { name: AvatarPreset; className?: string }) {
  return (
    <svg viewBox="0 0 96 96" aria-hidden="true" className={className}>
      <rect className="fill-sheet" width="96" height="96" />
      {drawings[name]}
    </svg>
  )
}
