import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import prettier from 'eslint-config-prettier';
import typescript from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist/', 'out/', 'server/', 'node_modules/'] },
  js.configs.recommended,
  ...typescript.configs.strictTypeChecked,
  ...typescript.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A message that is new is heard wherever messages are.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: false },
      ],
    },
  },
  // Set by `decorate`, which knows what an editor has.
  {
    files: ['src/**/*.ts'],
    ignores: ['src/marks/decorating.ts'],
    rules: { 'no-restricted-properties': ['error', { property: 'setDecorations' }] },
  },
  // The compiler checks names too, and knows Node's.
  { files: ['**/*.{mjs,cjs}'], rules: { 'no-undef': 'off' } },
  // It replaces a CommonJS module of VS Code's, so it is one.
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  prettier,
);
