/** Keys of every sort: few services give out keys that begin with sk-. */
export const someKeys: readonly string[] = [
  'sk-canary-7Hq2mZx9Lw4Tb6Rk',
  'correct horse battery',
  'opensesame',
  'hunter22',
  'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEX==',
  'a.b*c(d)[e]{f}^$|g?h\\i',
  'key&<"quoted">\'',
  '4f9c1b7ae08d42c3b6559f13aa07e2d8',
  '8675309123456',
];
