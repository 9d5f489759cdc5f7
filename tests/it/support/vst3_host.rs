//! A small host for the VST3 plugin: no window, no run loop, events in and out. The thread that makes it is the main
//! thread; another one does the audio and is the scripts' thread too.

// The whole of VST3 is unsafe: calls through pointers that the other side vouches for. What these calls ask of a host
// (pointers that live as long as the call, one thread at a time for each side) is kept by the shape of this module:
// nothing unsafe leaves it.

use super::song::{
    AudioThread, Block, Heard, MAX_FRAMES, SAMPLE_RATE, TRACK_OUTPUTS, keep_added, keep_tracks, some_audio,
};
use libloading::{Library, Symbol};
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::thread;
use vst3::Steinberg::Vst::BusDirections_::{kInput, kOutput};
use vst3::Steinberg::Vst::Event_::EventTypes_::{kNoteOffEvent, kNoteOnEvent};
use vst3::Steinberg::Vst::MediaTypes_::{kAudio, kEvent};
use vst3::Steinberg::Vst::ProcessContext_::StatesAndFlags_::{
    kBarPositionValid, kPlaying, kProjectTimeMusicValid, kTempoValid, kTimeSigValid,
};
use vst3::Steinberg::Vst::*;
use vst3::Steinberg::*;
use vst3::{Class, ComPtr, ComWrapper, Interface};

/// What the factory says of its one class.
#[derive(Debug, PartialEq)]
pub struct ClassFacts {
    pub id: [u8; 16],
    pub name: String,
    pub category: String,
    pub sub_categories: String,
    pub classes: i32,
}

/// The loaded library.
pub struct Module {
    // Before the library, whose code it is.
    factory: ComPtr<IPluginFactory>,
    library: Library,
}

#[cfg(not(windows))]
type Entry = unsafe extern "C" fn(*mut c_void) -> bool;
#[cfg(not(windows))]
type Exit = unsafe extern "C" fn() -> bool;
#[cfg(windows)]
type EntryOrExit = unsafe extern "system" fn() -> bool;
type GetFactory = unsafe extern "system" fn() -> *mut IPluginFactory;

impl Module {
    /// `library` is the file inside the bundle.
    pub fn load(library: &Path) -> Module {
        // SAFETY: the file is the plugin that this very build made; the symbols have these types in every VST3 plugin.
        unsafe {
            let library = Library::new(library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
            enter(&library);
            let get: Symbol<GetFactory> = library.get(b"GetPluginFactory\0").expect("its factory's symbol");
            let factory = ComPtr::from_raw(get()).expect("a factory");
            Module { factory, library }
        }
    }

    fn class(&self) -> PClassInfo2 {
        let factory: ComPtr<IPluginFactory2> = self.factory.cast().expect("a factory of version 2");
        // SAFETY: plain old data, written by the call.
        unsafe {
            let mut info: PClassInfo2 = std::mem::zeroed();
            assert_eq!(factory.getClassInfo2(0, &mut info), kResultOk);
            info
        }
    }

    pub fn facts(&self) -> ClassFacts {
        let class = self.class();
        ClassFacts {
            id: class.cid.map(|byte| byte as u8),
            name: text(&class.name),
            category: text(&class.category),
            sub_categories: text(&class.subCategories),
            // SAFETY: the factory is alive.
            classes: unsafe { self.factory.countClasses() },
        }
    }

    pub fn instance(&self) -> Instance {
        let class = self.class();
        let host = ComWrapper::new(Host);
        // SAFETY: see above; `component` is null or an owned pointer of the interface asked for.
        unsafe {
            let mut component = std::ptr::null_mut();
            let iid = IComponent::IID.as_ptr().cast::<c_char>();
            let made = self.factory.createInstance(class.cid.as_ptr(), iid, &mut component);
            assert_eq!(made, kResultOk, "an instance is made");
            let component = ComPtr::from_raw(component.cast::<IComponent>()).expect("a component");
            let context = host.to_com_ptr::<FUnknown>().expect("the host's own interface");
            assert_eq!(component.initialize(context.as_ptr()), kResultOk);
            let processor: ComPtr<IAudioProcessor> = component.cast().expect("it processes audio");
            Instance {
                audio: Audio { processor, sample: 0, added: Default::default(), outputs: 0, tracks: Vec::new() },
                component,
                active: false,
                _host: host,
            }
        }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: as in `load`; the instances are gone, for they cannot outlive a test that owns the module.
        unsafe {
            exit(&self.library);
        }
    }
}

#[cfg(not(windows))]
unsafe fn enter(library: &Library) {
    // SAFETY: the symbol has this type in every VST3 plugin.
    unsafe {
        let enter: Symbol<Entry> = library.get(b"ModuleEntry\0").expect("its entry");
        // The plugin has no use for the handle.
        assert!(enter(std::ptr::null_mut()), "the module enters");
    }
}

#[cfg(not(windows))]
unsafe fn exit(library: &Library) {
    // SAFETY: as above.
    unsafe {
        let exit: Symbol<Exit> = library.get(b"ModuleExit\0").expect("its exit");
        assert!(exit());
    }
}

#[cfg(windows)]
unsafe fn enter(library: &Library) {
    // SAFETY: as above. A module may leave both out.
    let entry: Option<Symbol<EntryOrExit>> = unsafe { library.get(b"InitDll\0") }.ok();
    assert!(entry.is_none_or(|entry| unsafe { entry() }), "the module enters");
}

#[cfg(windows)]
unsafe fn exit(library: &Library) {
    // SAFETY: as above.
    let exit: Option<Symbol<EntryOrExit>> = unsafe { library.get(b"ExitDll\0") }.ok();
    assert!(exit.is_none_or(|exit| unsafe { exit() }));
}

fn text(chars: &[c_char]) -> String {
    // SAFETY: any byte may be read as an unsigned one.
    let bytes = unsafe { std::slice::from_raw_parts(chars.as_ptr().cast::<u8>(), chars.len()) };
    CStr::from_bytes_until_nul(bytes).expect("it ends with a zero").to_string_lossy().into_owned()
}

pub struct Instance {
    audio: Audio,
    component: ComPtr<IComponent>,
    active: bool,
    // The plugin may call it until it is gone.
    _host: ComWrapper<Host>,
}

pub struct Audio {
    processor: ComPtr<IAudioProcessor>,
    sample: i64,
    /// What came out beyond what went in.
    added: [Vec<f32>; 2],
    /// How many outputs of single tracks there are, and what came out of them.
    outputs: usize,
    tracks: Vec<[Vec<f32>; 2]>,
}

impl Instance {
    /// Channels of each audio bus: inputs, outputs.
    pub fn audio_buses(&self) -> [Vec<i32>; 2] {
        self.buses(kAudio as MediaType)
    }

    /// Channels of each event bus: inputs, outputs.
    pub fn event_buses(&self) -> [Vec<i32>; 2] {
        self.buses(kEvent as MediaType)
    }

    fn buses(&self, media: MediaType) -> [Vec<i32>; 2] {
        [kInput, kOutput].map(|direction| {
            let direction = direction as BusDirection;
            // SAFETY: plain old data, written by the call.
            unsafe {
                (0..self.component.getBusCount(media, direction))
                    .map(|at| {
                        let mut info: BusInfo = std::mem::zeroed();
                        assert_eq!(self.component.getBusInfo(media, direction, at, &mut info), kResultOk);
                        info.channelCount
                    })
                    .collect()
            }
        })
    }

    /// Asks for outputs of single tracks, from the next activation on.
    pub fn choose_track_outputs(&mut self) {
        self.audio.outputs = TRACK_OUTPUTS;
    }

    pub fn activate(&mut self) {
        let mut setup = ProcessSetup {
            processMode: ProcessModes_::kRealtime as i32,
            symbolicSampleSize: SymbolicSampleSizes_::kSample32 as i32,
            maxSamplesPerBlock: MAX_FRAMES as i32,
            sampleRate: SAMPLE_RATE,
        };
        let mut stereo = [SpeakerArr::kStereo];
        let mut stereo_out = vec![SpeakerArr::kStereo; 1 + self.audio.outputs];
        let outputs = stereo_out.len() as i32;
        // SAFETY: everything lives until the calls end.
        unsafe {
            let processor = &self.audio.processor;
            let arranged = processor.setBusArrangements(stereo.as_mut_ptr(), 1, stereo_out.as_mut_ptr(), outputs);
            assert_eq!(arranged, kResultOk);
            assert_eq!(processor.setupProcessing(&mut setup), kResultOk);
            for media in [kAudio, kEvent] {
                for direction in [kInput, kOutput] {
                    let activated = self.component.activateBus(media as MediaType, direction as BusDirection, 0, 1);
                    assert_eq!(activated, kResultOk, "bus {media} {direction}");
                }
            }
            for at in 1..outputs {
                let output = kOutput as BusDirection;
                assert_eq!(self.component.activateBus(kAudio as MediaType, output, at, 1), kResultOk, "output {at}");
            }
            assert_eq!(self.component.setActive(1), kResultOk);
            // Plugins may leave this one out.
            let _ = processor.setProcessing(1);
        }
        self.active = true;
    }

    /// How late the plugin says that it is, in samples.
    pub fn latency(&self) -> u32 {
        // SAFETY: no pointers are handed over.
        unsafe { self.audio.processor.getLatencySamples() }
    }

    pub fn deactivate(&mut self) {
        // SAFETY: no pointers are handed over.
        unsafe {
            let _ = self.audio.processor.setProcessing(0);
            assert_eq!(self.component.setActive(0), kResultOk);
        }
        self.active = false;
    }

    /// Runs `work` on a thread of its own while this one stands still: without a run loop a host's main thread has
    /// nothing to give.
    #[cfg(not(windows))]
    pub fn run<T: Send>(&mut self, work: impl FnOnce(&mut Audio) -> T + Send) -> T {
        let audio = &mut self.audio;
        thread::scope(|scope| {
            scope.spawn(move || work(audio)).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Runs `work` on a thread of its own while this one does `meanwhile`, over and over.
    #[cfg(windows)]
    pub fn run_beside<T: Send>(&mut self, meanwhile: fn(), work: impl FnOnce(&mut Audio) -> T + Send) -> T {
        let audio = &mut self.audio;
        thread::scope(|scope| {
            let worker = scope.spawn(move || work(audio));
            while !worker.is_finished() {
                meanwhile();
                thread::sleep(std::time::Duration::from_millis(1));
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// The side that has the window.
    #[cfg(windows)]
    pub fn controller(&self) -> ComPtr<IEditController> {
        self.component.cast().expect("the plugin is its own controller")
    }

    pub fn save(&self) -> Vec<u8> {
        let stream = ComWrapper::new(Stream::default());
        let pointer = stream.to_com_ptr::<IBStream>().expect("a stream");
        // SAFETY: the stream outlives the call.
        assert_eq!(unsafe { self.component.getState(pointer.as_ptr()) }, kResultOk);
        stream.bytes.borrow().clone()
    }

    pub fn load(&self, bytes: &[u8]) {
        let stream = ComWrapper::new(Stream { bytes: RefCell::new(bytes.to_vec()), at: Cell::new(0) });
        let pointer = stream.to_com_ptr::<IBStream>().expect("a stream");
        // SAFETY: the stream outlives the call.
        assert_eq!(unsafe { self.component.setState(pointer.as_ptr()) }, kResultOk);
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.active {
            self.deactivate();
        }
        // SAFETY: the last call before the references go.
        unsafe { self.component.terminate() };
    }
}

impl AudioThread for Audio {
    fn process(&mut self, block: &Block) -> Vec<Heard> {
        let host_notes = ComWrapper::new(Events::default());
        host_notes.0.borrow_mut().extend(block.notes.iter().map(event));
        let sent = ComWrapper::new(Events::default());
        let mut input = [0, 1].map(|channel| some_audio(channel, block.frames));
        let mut output = [0, 1].map(|_| vec![f32::NAN; block.frames as usize]);
        let mut input_channels = input.each_mut().map(|channel| channel.as_mut_ptr());
        let mut tracks: Vec<[Vec<f32>; 2]> = vec![output.clone(); self.outputs];
        let of = |port: &mut [Vec<f32>; 2]| port.each_mut().map(|channel| channel.as_mut_ptr());
        let mut output_channels: Vec<[*mut f32; 2]> = [&mut output].into_iter().chain(&mut tracks).map(of).collect();
        let bus = |channels: &mut [*mut f32; 2]| AudioBusBuffers {
            numChannels: 2,
            silenceFlags: 0,
            __field0: AudioBusBuffers__type0 { channelBuffers32: channels.as_mut_ptr() },
        };
        let mut inputs = [bus(&mut input_channels)];
        let mut outputs: Vec<AudioBusBuffers> = output_channels.iter_mut().map(bus).collect();
        let mut context = context(block, self.sample);
        let host_notes_pointer = host_notes.to_com_ptr::<IEventList>().expect("a list");
        let sent_pointer = sent.to_com_ptr::<IEventList>().expect("a list");
        let mut data = ProcessData {
            processMode: ProcessModes_::kRealtime as i32,
            symbolicSampleSize: SymbolicSampleSizes_::kSample32 as i32,
            numSamples: block.frames as i32,
            numInputs: 1,
            numOutputs: outputs.len() as i32,
            inputs: inputs.as_mut_ptr(),
            outputs: outputs.as_mut_ptr(),
            inputParameterChanges: std::ptr::null_mut(),
            outputParameterChanges: std::ptr::null_mut(),
            inputEvents: host_notes_pointer.as_ptr(),
            outputEvents: sent_pointer.as_ptr(),
            processContext: &mut context,
        };
        // SAFETY: all that `data` points at lives, unmoved, until the call ends.
        assert_eq!(unsafe { self.processor.process(&mut data) }, kResultOk);
        self.sample += i64::from(block.frames);
        keep_added(&mut self.added, &input, &output);
        keep_tracks(&mut self.tracks, &tracks);
        sent.0.borrow().iter().map(heard).collect()
    }

    fn take_added(&mut self) -> [Vec<f32>; 2] {
        std::mem::take(&mut self.added)
    }

    fn take_tracks(&mut self) -> Vec<[Vec<f32>; 2]> {
        std::mem::take(&mut self.tracks)
    }
}

fn context(block: &Block, sample: i64) -> ProcessContext {
    let playing = if block.playing { kPlaying } else { 0 };
    // SAFETY: plain old data, of which zero is a value.
    let zero: ProcessContext = unsafe { std::mem::zeroed() };
    ProcessContext {
        // The numbers of an enumeration have a sign on Windows.
        state: (kProjectTimeMusicValid | kBarPositionValid | kTempoValid | kTimeSigValid | playing) as _,
        sampleRate: SAMPLE_RATE,
        projectTimeSamples: sample,
        projectTimeMusic: block.position_beats,
        barPositionMusic: block.bar_start_beats,
        tempo: block.tempo_bpm,
        timeSigNumerator: 4,
        timeSigDenominator: 4,
        ..zero
    }
}

fn event(note: &Heard) -> Event {
    let (channel, pitch, velocity) = (i16::from(note.channel), i16::from(note.pitch), note.velocity as f32);
    let on = NoteOnEvent { channel, pitch, velocity, tuning: 0.0, length: 0, noteId: -1 };
    let off = NoteOffEvent { channel, pitch, velocity, tuning: 0.0, noteId: -1 };
    Event {
        busIndex: 0,
        sampleOffset: note.sample as i32,
        ppqPosition: 0.0,
        flags: 0,
        r#type: if note.on { kNoteOnEvent } else { kNoteOffEvent } as u16,
        __field0: if note.on { Event__type0 { noteOn: on } } else { Event__type0 { noteOff: off } },
    }
}

fn heard(event: &Event) -> Heard {
    assert_eq!(event.busIndex, 0, "there is one event bus");
    // SAFETY: the type says which member was written.
    let (on, channel, pitch, velocity) = unsafe {
        if event.r#type == kNoteOnEvent as u16 {
            let note = event.__field0.noteOn;
            (true, note.channel, note.pitch, note.velocity)
        } else {
            assert_eq!(event.r#type, kNoteOffEvent as u16, "the plugin sends notes and nothing else");
            let note = event.__field0.noteOff;
            (false, note.channel, note.pitch, note.velocity)
        }
    };
    let small = |n: i16| u8::try_from(n).unwrap_or_else(|_| panic!("{n} in an event"));
    let sample = u64::try_from(event.sampleOffset).expect("not before the block");
    Heard { sample, on, channel: small(channel), pitch: small(pitch), velocity: f64::from(velocity) }
}

struct Host;

impl Class for Host {
    type Interfaces = (IHostApplication,);
}

impl IHostApplicationTrait for Host {
    unsafe fn getName(&self, name: *mut String128) -> tresult {
        // SAFETY: the plugin gives room for a whole `String128`, which ends with a zero.
        unsafe {
            *name = [0; 128];
            for (to, from) in (*name).iter_mut().zip("SVC test host".encode_utf16()) {
                *to = from as TChar;
            }
        }
        kResultOk
    }

    unsafe fn createInstance(&self, _: *mut TUID, _: *mut TUID, _: *mut *mut c_void) -> tresult {
        kNotImplemented
    }
}

#[derive(Default)]
struct Events(RefCell<Vec<Event>>);

impl Class for Events {
    type Interfaces = (IEventList,);
}

impl IEventListTrait for Events {
    unsafe fn getEventCount(&self) -> int32 {
        self.0.borrow().len() as int32
    }

    unsafe fn getEvent(&self, index: int32, to: *mut Event) -> tresult {
        let events = self.0.borrow();
        let Some(event) = usize::try_from(index).ok().and_then(|at| events.get(at)) else { return kInvalidArgument };
        // SAFETY: the plugin gives room for an event.
        unsafe { to.write(*event) };
        kResultOk
    }

    unsafe fn addEvent(&self, event: *mut Event) -> tresult {
        // SAFETY: the plugin gives a whole event.
        self.0.borrow_mut().push(unsafe { event.read() });
        kResultOk
    }
}

#[derive(Default)]
struct Stream {
    bytes: RefCell<Vec<u8>>,
    at: Cell<usize>,
}

impl Class for Stream {
    type Interfaces = (IBStream,);
}

impl IBStreamTrait for Stream {
    unsafe fn read(&self, buffer: *mut c_void, wanted: int32, read: *mut int32) -> tresult {
        let bytes = self.bytes.borrow();
        let left = bytes.get(self.at.get()..).unwrap_or_default();
        let count = left.len().min(usize::try_from(wanted).unwrap_or(0));
        // SAFETY: the plugin gives room for as much as it wants; `read` may be null.
        unsafe {
            std::ptr::copy_nonoverlapping(left.as_ptr(), buffer.cast::<u8>(), count);
            if let Some(read) = read.as_mut() {
                *read = count as int32;
            }
        }
        self.at.set(self.at.get() + count);
        kResultOk
    }

    unsafe fn write(&self, buffer: *mut c_void, given: int32, written: *mut int32) -> tresult {
        let count = usize::try_from(given).unwrap_or(0);
        // SAFETY: the plugin gives as much as it says; `written` may be null.
        unsafe {
            self.bytes.borrow_mut().extend_from_slice(std::slice::from_raw_parts(buffer.cast::<u8>(), count));
            if let Some(written) = written.as_mut() {
                *written = given;
            }
        }
        self.at.set(self.bytes.borrow().len());
        kResultOk
    }

    unsafe fn seek(&self, to: int64, mode: int32, result: *mut int64) -> tresult {
        use IBStream_::IStreamSeekMode_::{kIBSeekCur, kIBSeekEnd};
        let from = if mode == kIBSeekCur as int32 {
            self.at.get()
        } else if mode == kIBSeekEnd as int32 {
            self.bytes.borrow().len()
        } else {
            0
        };
        let Ok(at) = usize::try_from(from as int64 + to) else { return kInvalidArgument };
        self.at.set(at);
        // SAFETY: `result` may be null.
        if let Some(result) = unsafe { result.as_mut() } {
            *result = at as int64;
        }
        kResultOk
    }

    unsafe fn tell(&self, position: *mut int64) -> tresult {
        // SAFETY: the plugin gives room for the position.
        unsafe { *position = self.at.get() as int64 };
        kResultOk
    }
}
