/** Commands to build machines: at the beginning of a line, within one, after each kind of line break. */
export const commands = [
  '::set-output name=x::y',
  '  ::add-mask::chatspec',
  'words before ::error file=a.js,line=1::broken',
  '\r::stop-commands::token\u2028::warning::w\u0085::notice::n',
  'words ##[set-env name=NODE_OPTIONS]--require x',
  '##[add-path]/tmp ##vso[task.setvariable variable=PATH]x ##[error]e',
  "##teamcity[buildNumber '1']",
  'section_start:1:hidden\r\u001b[0Ksection_end:1:hidden\r\u001b[0K travis_fold:start:x',
  `${'x'.repeat(70)} ::debug::where a line of 80 columns is wrapped ${'y'.repeat(79)}::group::hard`,
].join('\n');

/** Everything in Markdown that fetches, links, pings or breaks out of its place. */
export const markup = [
  '![x](http://host/p.png)\\| ![y][1] <img src="http://host/q.png"> <b>bold</b>',
  '[click](http://host/) <http://host/> http://host/a https://host www.host.example me@host.example',
  '@octocat @org/team #123 GH-12 org/repo#5 $\\sqrt{3x}$ :shipit: ~~x~~ `a` ``b`` \\`c\\\\`',
  '',
  '| a | b |\n|---|---|\n| ![z](http://host/z.png) | \\|',
  '[^1] [1]\n\n[^1]: note\n[1]: http://host/r.png\n# heading\n- [ ] task\n1. list\n```\n![in](http://host/s.png)\n~~~\n/close\n---',
].join('\n');
