// Type-aware rules for the extension and its tests; what is bundled or built is left alone.
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "out/", "node_modules/", "*.mjs"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A lookup that was just made sure of says so with `!`.
      "@typescript-eslint/no-non-null-assertion": "off",
      // `() => done()` is what the style is.
      "@typescript-eslint/no-confusing-void-expression": "off",
      // tsc refuses `data.name` where the name is no declared member.
      "@typescript-eslint/dot-notation": "off",
      // VS Code takes any object with `dispose`.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/prefer-readonly": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  // node:test gives promises that nobody waits for.
  {
    files: ["tests/**"],
    rules: { "@typescript-eslint/no-floating-promises": "off", "@typescript-eslint/restrict-template-expressions": "off" },
  },
);
