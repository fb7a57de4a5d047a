// Plays the attacks of one built subject, one after the other, and tells its parent (scripts/attack.mjs) of each. Ends with
// 0 after all of them, whether they held or not: npm run attack forks it.

/** A single attack that takes longer hangs. On a machine that does much else, one of 40 s of CPU may take minutes. */
const mostSeconds = 600;

const { attacks } = await import(process.argv[2]);
for (const attack of attacks) {
  const from = performance.now();
  const { held, figure } = await played(attack);
  const result = { name: attack.name, held, figure, seconds: (performance.now() - from) / 1000 };
  await new Promise((sent) => process.send(result, sent));
}
// What an attack left open keeps nothing waiting.
process.disconnect();
process.exit(0);

async function played(attack) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not over after ${mostSeconds} s`)), mostSeconds * 1000);
  });
  try {
    return await Promise.race([attack.run(), late]);
  } catch (error) {
    return { held: false, figure: `error: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    clearTimeout(timer);
  }
}
