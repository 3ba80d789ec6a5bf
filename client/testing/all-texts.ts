import { CHUNKS, loadTexts } from '#client/language/load-texts.ts'

// The app loads the texts of a screen with its code; tests import the code alone.
await loadTexts(...(Object.keys(CHUNKS) as (keyof typeof CHUNKS)[]))
