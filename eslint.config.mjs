import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

// Layout is prettier's business, and which file may import which that of .dependency-cruiser.cjs.
export default defineConfig(
  { ignores: ['**/dist/', 'sdk/src/schema.ts', 'data/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A Nest module is a class with a decorator and nothing else.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Nest and TypeORM type options as classes, and so are our DTOs and entities: object literals are meant to fill them.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Under noUncheckedIndexedAccess an assertion is the plain way to say that an index was checked already.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Numbers read well in messages; everything else has to be turned into text on purpose.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `() => server.close()` is how callbacks are written, and `return refuse(…)` how a value is refused.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // DTOs and configurations are spread for their fields, and text for its code points.
      '@typescript-eslint/no-misused-spread': 'off',
      // The signatures that Nest and Passport ask for have type parameters that are used once.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // The one hole in the escaping of pages.
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
    // Here the name `gala` means our sources, elsewhere the installed package: only our tsconfig.json says so.
    files: ['examples/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: false, project: './tsconfig.json' } },
  },
  {
    // A test reads answers as the JSON they are, and its expectations are what checks their types.
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
