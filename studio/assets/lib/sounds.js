// Short tones, which are made as they are needed.

const tones = {turn: [523, .09], capture: [262, .22]}; // in hertz and seconds
let audio = null;

// Sounds a tone: turn or capture. Browsers allow it once a person has done something on the page.
export function sound(name) {
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ||= new AudioContext();
  const [pitch, length] = tones[name], tone = audio.createOscillator(), loudness = audio.createGain(), now = audio.currentTime;
  tone.type = "triangle";
  tone.frequency.value = pitch;
  loudness.gain.setValueAtTime(.2, now);
  loudness.gain.exponentialRampToValueAtTime(.001, now + length);
  tone.connect(loudness).connect(audio.destination);
  tone.start(now);
  tone.stop(now + length);
}
