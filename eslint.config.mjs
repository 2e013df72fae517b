import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

// Prettier handles formatting, and .dependency-cruiser.cjs the allowed imports.
export default defineConfig(
  { ignores: ['**/dist/', 'sdk/src/schema.ts', 'data/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A Nest module is an empty class with a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Nest and TypeORM type options as classes, as are our DTOs and entities, and object literals are assigned to them.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Under noUncheckedIndexedAccess, an assertion shows that an index was checked already.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Numbers are readable in messages; anything else must be converted explicitly.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Callbacks are written as `() => server.close()`, and refusals as `return refuse(…)`.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // DTOs and configurations are spread into their fields, and text into its code points.
      '@typescript-eslint/no-misused-spread': 'off',
      // Signatures that Nest and Passport require have type parameters that are used once.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // The only way around the escaping of pages.
      'no-restricted-syntax': [
        'error',
        ...['JSXAttribute[name.name', 'Property[key.name', 'Property[key.value'].map((place) => ({
          selector: `${place}="dangerouslySetInnerHTML"]`,
          message: 'Render elements and text instead: whatever is written here reaches browsers unescaped.',
        })),
      ],
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_$', argsIgnorePattern: '^_' }],
    },
  },
  {
    // In this repository `gala` resolves to our sources instead of the installed package, by our tsconfig.json.
    files: ['examples/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: false, project: './tsconfig.json' } },
  },
  {
    // Tests read answers as untyped JSON; their expectations check the types.
    files: ['test/**/*.{ts,tsx}', 'examples/*/test/**/*.ts', '**/*.spec.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
    },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    extends: [tseslint.configs.strict],
    // The project is CommonJS.
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
