/** Twelve models of the embedded service, ten of them with a fault each. */
export const demoModels = [
  ...[
    'sim-reference',
    'pro-sim-reference',
    'sim-object-500',
    'sim-object-400-thinking',
    'sim-rf-empty',
    'sim-rf-prose',
  ],
  ...['sim-schema-only', 'sim-budget', 'sim-wobbly', 'sim-json-word', 'sim-enforce-none', 'sim-call-as-text'],
];
