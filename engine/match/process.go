package match

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"time"

	"goalproof/engine/aei"
)

// process is a running program with its session.
type process struct {
	*aei.Client
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	errors tail
	gone   chan struct{} // closed when the process has ended
}

// leaveTime is the time that a process has to end by itself, and after that the time for which its children may keep
// its output open.
const leaveTime = time.Second

// startProcess starts a program.
func startProcess(args []string) (*process, error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		stdin.Close()
		in.Close()
		return nil, err
	}
	p := &process{cmd: exec.Command(args[0], args[1:]...), in: in, out: out, gone: make(chan struct{})}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, &p.errors
	p.cmd.WaitDelay = leaveTime / 2 // a child that keeps standard error open must not delay Wait
	setGroup(p.cmd)
	err = p.cmd.Start()
	stdin.Close()
	stdout.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // ProcessState says how it ended
		close(p.gone)
		_ = out.SetReadDeadline(time.Now().Add(leaveTime))
	}()
	p.Client = aei.NewClient(out, in)
	return p, nil
}

// leaves reports whether the process ends by itself within leaveTime.
func (p *process) leaves() bool {
	select {
	case <-p.gone:
		return true
	case <-time.After(leaveTime):
		return false
	}
}

// close ends the process, by force if it ignores quit.
func (p *process) close() {
	p.Client.Close()
	p.in.Close()
	p.leaves()
	killGroup(p.cmd)
	<-p.gone
	p.out.Close()
}

// fate describes how a process ended that has closed its output, with its last line on standard error.
func (p *process) fate() string {
	if !p.leaves() {
		return "it has closed its output"
	}
	if last := p.errors.last(); last != "" {
		return fmt.Sprintf("%v, %.200q", p.cmd.ProcessState, last)
	}
	return p.cmd.ProcessState.String()
}

// tail keeps the end of the text written to it. It may be read after the last write.
type tail struct{ text []byte }

const maxTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(b), nil
}

// last returns the last line.
func (t *tail) last() string {
	text := bytes.TrimSpace(t.text)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
