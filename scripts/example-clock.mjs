// Preloaded by scripts/example.mjs: time begins where EXAMPLE_TIME says, so that a week passes in a minute.
const { EXAMPLE_TIME: from = '' } = process.env;
const Real = Date;
const shift = Real.parse(from) - Real.now();

/** A date without arguments is in the week of the example. */
class ShiftedDate extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + shift);
    else super(...args);
  }
  static now() {
    return Real.now() + shift;
  }
}

globalThis.Date = ShiftedDate;
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + shift });
